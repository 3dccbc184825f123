"""A staff decision about a flagged submission."""

from dataclasses import dataclass
from enum import StrEnum


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
