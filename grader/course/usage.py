"""How often somebody may do what is costly or guessable, counted over all processes of a server."""

import hashlib
from dataclasses import dataclass

from grader.course.records import Records
from grader.course.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """``burst`` uses at once, and after them one in each ``seconds``."""

    name: str
    burst: int
    seconds: float


def take(workspace: Workspace, rate: Rate, visitor: str) -> float:
    """Take one use of ``visitor``. Returns: 0, or the seconds until there is one; then nothing was taken."""
    # What a visitor typed may be of any length.
    key = f"{rate.name} {hashlib.sha256(visitor.encode('utf-8', 'replace')).hexdigest()}"
    with Records(workspace) as records:
        return records.store.rates.take(key, rate.burst, rate.seconds)
