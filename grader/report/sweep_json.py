"""Sweeps as JSON, for other programs."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from grader.model.sweep import SweepReport
from grader.report.files import write_atomically


def dump(reports: Sequence[SweepReport]) -> bytes:
    """``reports`` as indented UTF-8 JSON in field order, in a list called ``sweeps``."""
    return msgspec.json.format(msgspec.json.encode({"sweeps": reports}), indent=2) + b"\n"


def write(path: Path, reports: Sequence[SweepReport]) -> None:
    """Write ``reports`` to ``path``. Raises: ``UserError`` where that is not possible."""
    write_atomically(path, dump(reports))
