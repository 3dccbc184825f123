"""What staff decide over the API. ``because`` is for staff, and never empty."""

from dataclasses import dataclass

from grader.model.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class NewOverride:
    """Points or a verdict that count instead of the graded ones; neither withdraws such a decision."""

    student: str
    lab: str
    because: str
    points: float | None = None
    verdict: Verdict | None = None
    comment: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """What the student's newest submission to the lab counts now."""

    student: str
    lab: str
    verdict: Verdict
    score: float
    max_score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NewExcuse:
    """The student need not do the lab; ``withdraw`` ends that."""

    student: str
    lab: str
    because: str
    withdraw: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NewExtension:
    """More time: ``until`` a moment of the course's zone, or ``days``; neither withdraws what was given.

    ``who`` is a student, ``group:NAME`` or ``label:NAME``.
    """

    who: str
    lab: str
    because: str
    until: str | None = None
    days: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Extension:
    """The students who have the extension."""

    lab: str
    students: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewComment:
    """A comment at a line of the student's newest submission; an empty text withdraws those at the line."""

    student: str
    lab: str
    file: str
    line: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A stored comment."""

    student: str
    lab: str
    file: str
    line: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRegrade:
    """Which of the newest results to regrade; an empty field excludes nothing. ``fresh``: run the kernels again."""

    because: str
    labs: tuple[str, ...] = ()
    students: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    findings: tuple[str, ...] = ()
    fresh: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Regrade:
    """A set of results that are graded again; ``counts`` are its rows by state."""

    id: int
    created_at: str
    who: str
    because: str
    is_open: bool
    counts: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Regrades:
    """Every set, the oldest first."""

    regrades: tuple[Regrade, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RegradeClosing:
    """Apply or discard a set: all its rows, or those of ``students``."""

    apply: bool
    students: tuple[str, ...] = ()
    because: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedRows:
    """How many rows of a set are closed now."""

    closed: int
