"""Sweeps as JSON for other programs: each row has its reason as English text, and the code of the reason."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from grader.messages import render
from grader.model.sweep import SweepReport
from grader.report import json_files


def write(path: Path, reports: Sequence[SweepReport]) -> None:
    """Write ``reports`` to ``path``. Raises: ``UserError`` where that is not possible."""
    json_files.write(path, {"sweeps": [_published(report) for report in reports]})


def _published(report: SweepReport) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(report)
    for row, known in zip(plain["rows"], report.rows, strict=True):
        row |= {"reason": render(known.reason), "code": known.reason.code}
    return plain
