"""Labs and attempts as the API says them. Times are ISO 8601 in UTC."""

from dataclasses import dataclass

from grader.model.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Lab:
    """A lab as its student sees it. ``rule`` says in the reader's language when work counts and how much.

    ``accepts``: an attempt now would count. ``points`` is what the student's work counts, ``null`` if nothing does or
    results are not shown yet; ``missing`` is the way to the next points.
    """

    name: str
    title: str
    opens_at: str | None
    due_at: str | None
    closes_at: str | None
    accepts: bool
    rule: str
    attempts: int
    points: float | None
    max_points: float
    missing: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Labs:
    """The labs of the course that the person may know of."""

    labs: tuple[Lab, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFile:
    """A file of a submission as text; send other bytes as multipart."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAttempt:
    """What is submitted for a lab."""

    lab: str
    files: tuple[NewFile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Where an attempt is. ``text`` says it in the reader's language, ``final``: nothing follows.

    ``ahead`` counts the jobs before it in the queue, ``seconds`` estimates the time until it is done. What is done
    has a ``verdict`` as soon as the course shows results.
    """

    attempt: int
    phase: str
    text: str
    final: bool
    ahead: int | None = None
    seconds: float | None = None
    verdict: Verdict | None = None
    score: float | None = None
    max_score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One time that a student submitted for a lab; ``number`` counts the student's attempts at the lab from 1."""

    id: int
    student: str
    lab: str
    number: int
    submitted_at: str
    state: State


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptPage:
    """Attempts, the newest first; ``next`` is the cursor of the next page, if there is one."""

    attempts: tuple[Attempt, ...]
    next: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceText:
    """A file of an attempt, as text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The files of an attempt."""

    files: tuple[SourceText, ...]
