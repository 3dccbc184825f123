"""Kernels that read a clock: they could tell launches that are timed from others."""

from collections.abc import Collection

from grader.build.forbidden import FEATURES, traces
from grader.build.messages import located
from grader.build.ptx import Entry


def clock_reading(ptx: str, kernel: Entry, files: Collection[str]) -> str:
    """Why no time of ``kernel`` is to be trusted, with the place in the student's ``files``; empty where it may be.

    Launches that are timed together are told from those that are only watched by the time between two of them, and by
    how many of ours came between. To compute takes neither.
    """
    for file, line in traces(ptx, kernel, FEATURES["clocks"], files):
        return f"{located(file, line)}it reads a clock, or the number of its launch, and could tell when it is timed"
    return ""
