"""Decisions of staff, as reports show them."""

from dataclasses import dataclass
from enum import StrEnum

from grader.model.reason import Reason
from grader.model.verdict import Verdict


class Decision(StrEnum):
    """``cleared``: the speed is honest and counts. ``confirmed``: the flag is right; the speed earns no points."""

    CLEARED = "cleared"
    CONFIRMED = "confirmed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """One decision with its reviewer and reason; ``decided_at`` is ISO 8601 in UTC."""

    decision: Decision
    reviewer: str
    reason: str
    decided_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustment:
    """A decision that replaces the points or the verdict of a report, or excuses the student from the lab.

    ``score`` and ``verdict`` are the graded ones. ``comment`` is for the student; ``who`` and ``why`` are for staff.
    """

    excused: bool
    score: float
    verdict: Verdict
    who: str
    why: str
    comment: str
    decided_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FlaggedWork:
    """A flagged submission: why staff must review it, and their reviews, the latest last."""

    student: str
    lab: str
    reason: Reason
    reviews: tuple[Review, ...]
