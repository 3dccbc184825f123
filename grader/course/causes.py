"""Why results are scored or graded again."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from grader.labs.versions import changed_parts


class Cause(StrEnum):
    """What changed since a submission got its result."""

    RUBRIC = "rubric"
    LAB_CODE = "lab code"
    TOOLS = "tools"
    NO_LAB = "no lab"


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """A cause for submissions of one lab, with the names of the changed ``parts`` where they are known."""

    lab: str
    cause: Cause
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Caused:
    """How many submissions have a cause."""

    why: Why
    count: int


def between(lab: str, cause: Cause, before: Mapping[str, str], after: Mapping[str, str]) -> Why:
    """The cause with the parts that differ; none if the version before is unknown."""
    return Why(lab=lab, cause=cause, parts=changed_parts(before, after) if before else ())


def counted(causes: Iterable[Why]) -> tuple[Caused, ...]:
    """Equal causes together, by lab."""
    counts = Counter(causes)
    return tuple(Caused(why=why, count=counts[why]) for why in sorted(counts, key=lambda why: why.lab))
