"""Calibrations as JSON files, kept for later comparisons."""

import re
from pathlib import Path
from typing import Any

import msgspec

from grader.errors import UserError
from grader.model.calibration import Calibration
from grader.model.ladder import Provenance
from grader.model.reason import as_written
from grader.model.report import EngineInfo
from grader.report import json_files
from grader.report.text import safe_text


def file_name(engine: EngineInfo, made: Provenance) -> str:
    """A name from device, engine and date, so that a device's files sort by date."""
    words = (engine.device, engine.kind, made.created_at)
    return "-".join(re.sub(r"[^a-z0-9]+", "-", word.lower()).strip("-") for word in words) + ".json"


def write(path: Path, calibration: Calibration) -> None:
    """Write ``calibration`` to ``path``. Raises: ``UserError`` where that is not possible."""
    json_files.write(path, calibration)


def read(path: Path) -> Calibration:
    """Read a calibration. Raises: ``UserError`` where ``path`` holds none."""
    try:
        calibration = msgspec.convert(_with_reasons(msgspec.json.decode(path.read_bytes())), Calibration)
    except OSError as error:
        problem = f"Cannot read {safe_text(str(path))}: {error.strerror or error}."
        raise UserError(problem, hint="Name a file written by `grader calibrate`.") from error
    except (msgspec.DecodeError, TypeError, KeyError) as error:
        problem = f"{safe_text(str(path))} is not a calibration file: {safe_text(str(error))}."
        raise UserError(problem, hint="Name a file written by `grader calibrate`.") from error
    if not calibration.ladders:
        problem = f"{safe_text(str(path))} contains no ladder."
        raise UserError(problem, hint="Name a file written by `grader calibrate`.")
    return calibration


def _with_reasons(stored: Any) -> Any:
    """``stored`` with the reasons of an older release, which are text, as statements."""
    for ladder in stored["ladders"]:
        for row in ladder["rows"]:
            if isinstance(text := row.get("reason"), str):
                row["reason"] = msgspec.to_builtins(as_written(text)) if text else None
    return stored
