"""What goes into a gradebook: one person's result in one lab."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.lms.words import System


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One person's result in one lab.

    ``student`` is the person's id in the course, ``ids`` are those in other systems. ``points`` is missing while there
    is nothing to count. ``feedback`` is plain text for the student, a paragraph a line.
    """

    student: str
    points: float | None
    max_points: float
    name: str = ""
    email: str = ""
    ids: Mapping[System, tuple[str, ...]] = field(default_factory=dict)
    excused: bool = False
    feedback: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The person in messages to staff."""
        return self.name or self.student
