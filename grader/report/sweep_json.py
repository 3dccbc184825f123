"""A sweep as JSON, for other programs."""

from pathlib import Path

import msgspec

from grader.model.sweep import SweepReport
from grader.report.files import write_atomically


def dump(report: SweepReport) -> bytes:
    """``report`` as indented UTF-8 JSON in field order."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n"


def write(path: Path, report: SweepReport) -> None:
    """Write ``report`` to ``path``. Raises: ``UserError`` where that is not possible."""
    write_atomically(path, dump(report))
