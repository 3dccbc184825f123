"""Calibrations as JSON files, to keep beside the store and to compare with."""

import re
from pathlib import Path

import msgspec

from grader.errors import UserError
from grader.model.calibration import Calibration
from grader.model.ladder import Provenance
from grader.model.report import EngineInfo
from grader.report import json_files
from grader.report.text import safe_text


def file_name(engine: EngineInfo, made: Provenance) -> str:
    """By device, engine and date, so that files of one device stand together in their order."""
    words = (engine.device, engine.kind, made.created_at)
    return "-".join(re.sub(r"[^a-z0-9]+", "-", word.lower()).strip("-") for word in words) + ".json"


def write(path: Path, calibration: Calibration) -> None:
    """Write ``calibration`` to ``path``. Raises: ``UserError`` where that is not possible."""
    json_files.write(path, calibration)


def read(path: Path) -> Calibration:
    """What was written to ``path``. Raises: ``UserError`` where it is no calibration."""
    try:
        calibration = msgspec.json.decode(path.read_bytes(), type=Calibration)
    except OSError as error:
        problem = f"Cannot read {safe_text(str(path))}: {error.strerror or error}."
        raise UserError(problem, hint="Name a file that `grader calibrate` has written.") from error
    except msgspec.DecodeError as error:
        problem = f"{safe_text(str(path))} is no calibration: {safe_text(str(error))}."
        raise UserError(problem, hint="Name a file that `grader calibrate` has written.") from error
    if not calibration.ladders:
        problem = f"{safe_text(str(path))} holds no ladder."
        raise UserError(problem, hint="Name a file that `grader calibrate` has written.")
    return calibration
