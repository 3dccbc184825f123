"""What a student did for a lab, as the rules look at it."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredAttempt:
    """One attempt and the ``points`` of ``max_points`` that its newest score has; ``None``: it has none yet.

    ``source`` and ``submission`` are those of the stored attempt. ``grader_failed``: on its first run the grader
    failed, or it never ran, so that it takes no token; a later run changes nothing about that.
    """

    source: str
    submission: str | None
    submitted_at: datetime
    points: float | None
    max_points: float
    grader_failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsOverride:
    """Points that staff set of ``max_points``, which the lab's rubric gave then; ``None``: as many as it gives now."""

    points: float
    who: str
    why: str = ""
    max_points: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Everything of one student for one lab; ``max_points`` is what the lab's rubric gives.

    ``published``: staff published the scores of the lab.
    """

    max_points: float
    attempts: tuple[ScoredAttempt, ...] = ()
    override: PointsOverride | None = None
    published: bool = False

    @property
    def in_order(self) -> tuple[ScoredAttempt, ...]:
        """The attempts by time of submission."""
        return tuple(sorted(self.attempts, key=lambda each: (each.submitted_at, each.source)))
