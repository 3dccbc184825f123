"""How far the grading of a submission is."""

from collections.abc import Callable
from enum import StrEnum


class Stage(StrEnum):
    """The stages that a person waits for, in their order."""

    COMPILING = "compiling"
    CHECKING = "checking"
    TIMING = "timing"


Entered = Callable[[Stage], None]
"""Is called when grading enters a stage."""


def unwatched(_: Stage) -> None:
    """``Entered`` where no listener waits."""
