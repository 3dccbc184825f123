"""Jobs as values: what waits to be graded, what runs where, and what became of it."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, StrEnum

from grader.model.needs import ComputeDevice, Needs
from grader.model.stage import Stage
from grader.store.attempts import RecordedAttempt
from grader.store.values import NewScore, StoredFacts, SubmissionKey

MAX_ATTEMPTS = 3
"""A job that was lost so often fails, and a person looks at it."""


class Lane(IntEnum):
    """The lanes of the queue; jobs of a smaller lane run first."""

    INTERACTIVE = 0
    STAFF = 1
    CLASS = 2


class JobState(StrEnum):
    """Where a job is. ``failed`` waits for a person; ``superseded`` gave way to a newer submission."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    SUPERSEDED = "superseded"


CANCELLABLE = (JobState.WAITING, JobState.RUNNING, JobState.FAILED)
"""The states from which a job can be cancelled."""


class JobEventKind(StrEnum):
    """What happened to a job. ``stage``: the attempt that runs entered the stage in the detail."""

    SUBMITTED = "submitted"
    CLAIMED = "claimed"
    RECORDED = "recorded"
    DISCARDED = "discarded"
    LOST = "lost"
    TAKEN_OVER = "taken-over"
    FAILED = "failed"
    CANCELLED = "cancelled"
    SUPERSEDED = "superseded"
    RETRIED = "retried"
    STAGE = "stage"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewJob:
    """A job to add. ``seed`` determines the inputs, so that another attempt draws the same.

    It does not start before ``not_before``. ``replaces``: older waiting jobs of the same student, lab, lane and needs
    give way to it.
    """

    seed: int
    lane: Lane = Lane.INTERACTIVE
    needs: Needs = field(default_factory=Needs)
    trusted: bool = False
    not_before: datetime | None = None
    replaces: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A job. Within its lane, jobs run by ``turn``, then by ``id``.

    ``attempts`` counts how often it was claimed. ``dispatcher`` is the one that claimed it last. ``why`` is the cause
    of the last loss or failure. ``device`` is the model and ``seconds`` the time of the attempt that was recorded.
    """

    id: int
    key: SubmissionKey
    lane: Lane
    turn: int
    needs: Needs
    trusted: bool
    seed: int
    state: JobState
    attempts: int
    not_before: datetime
    submitted_at: datetime
    dispatcher: str | None
    claimed_at: datetime | None
    finished_at: datetime | None
    seconds: float | None
    device: str | None
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptJob:
    """An attempt of a student with its id, and the job that grades it. ``is_new``: this call added both."""

    attempt: RecordedAttempt
    job: Job
    is_new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class JobEvent:
    """One transition of a job; rows never change."""

    job: int
    at: datetime
    kind: JobEventKind
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a waiting job stands: how many run before it, and how long jobs took lately on how many workers."""

    ahead: int
    mean_seconds: float | None
    workers: int

    @property
    def seconds(self) -> float | None:
        """An estimate of the time until the job is done; ``None`` if nothing was recorded yet or no worker is there."""
        if self.mean_seconds is None or not self.workers:
            return None
        return (self.ahead // self.workers + 1) * self.mean_seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class JobProgress:
    """A job as its author sees it: its ``place`` if it waits, its ``stage`` if that is known."""

    job: Job
    place: Place | None
    stage: Stage | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRecord:
    """The result of a job: its facts, if there are any, and its score."""

    facts: StoredFacts | None
    score: NewScore
    device: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerEntry:
    """A worker that a dispatcher knows: where it is, since when, and which job it runs, if it runs one.

    ``set_aside`` is why it gets no jobs; empty if it gets some.
    """

    name: str
    host: str
    device: ComputeDevice
    since: datetime
    job: int | None = None
    set_aside: str = ""
