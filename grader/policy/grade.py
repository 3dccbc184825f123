"""What a student's work on a lab counts in a course."""

from dataclasses import dataclass
from datetime import datetime

from grader.model.reason import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAttempt:
    """The attempt that counts: ``number`` of the student's attempts in the order of time, from 1.

    ``source`` is that of the stored attempt, ``submission`` the digest of the work.
    """

    number: int
    source: str
    submission: str | None
    submitted_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedGrade:
    """What one person's work on one lab counts, and why.

    ``points`` is the number that an export carries; ``None``: there is none, because nothing is graded, nothing was
    submitted before the lab closed, or the person is ``excused``. ``raw_points`` is what the kept attempt scored before
    ``penalty`` points were taken for ``late_seconds`` that no late day covers. ``late_days`` is how many of the
    person's late days the lab spends. ``override``: staff set the points, which no penalty changes.

    ``submitted``: an attempt is there, whether or not it counts.
    ``due`` is the date that holds for the person, before late days; ``None``: there is none.
    ``visible``: the student may see it now. ``explanation`` says each step in the order in which it was taken.
    """

    person: str
    lab: str
    points: float | None
    max_points: float
    raw_points: float | None = None
    penalty: float = 0.0
    late_seconds: float = 0.0
    late_days: int = 0
    kept: KeptAttempt | None = None
    excused: bool = False
    override: bool = False
    submitted: bool = False
    due: datetime | None = None
    visible: bool = True
    explanation: tuple[Reason, ...] = ()
