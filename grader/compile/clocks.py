"""Where a kernel reads a clock: whoever does could tell launches that are timed from others."""

from collections.abc import Collection

from grader.compile.forbidden import FEATURES, traces
from grader.compile.ptx import Entry
from grader.model.diagnostic import SourceLocation


def clock_reading(ptx: str, kernel: Entry, files: Collection[str]) -> SourceLocation | None:
    """Where in the student's ``files`` ``kernel`` reads a clock, or the number of its launch; ``None`` where nowhere.

    Launches that are timed together are told from those that are only watched by the time between two of them, and by
    how many of ours came between.
    """
    found = traces(ptx, kernel, FEATURES["clocks"], files)
    return next((SourceLocation(file=file, line=line) for file, line in found), None)
