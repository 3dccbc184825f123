"""A staff decision about a flagged submission."""

from dataclasses import dataclass
from enum import StrEnum


class Decision(StrEnum):
    """``cleared``: the speed is honest and counts. ``confirmed``: the doubt is right; the speed counts for nothing."""

    CLEARED = "cleared"
    CONFIRMED = "confirmed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """One decision, by whom, why, and when: ISO 8601 in UTC."""

    decision: Decision
    reviewer: str
    reason: str
    decided_at: str
