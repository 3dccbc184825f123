"""The ports of the queue: jobs, and the workers that run them. Errors and durability as in ``grader.store.ports``."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Protocol

from grader.model.needs import Needs
from grader.model.stage import Stage
from grader.model.submission import Submission
from grader.store.attempts import Attempt
from grader.store.job_values import (
    CANCELLABLE,
    AttemptJob,
    Job,
    JobEvent,
    JobProgress,
    JobRecord,
    JobState,
    NewJob,
    Place,
    WorkerEntry,
)
from grader.store.values import Score, Students, SubmissionKey


class Jobs(Protocol):
    """The queue. Every transition leaves a ``JobEvent``. The database's clock decides when a job may start."""

    def submit(self, submission: Submission, job: NewJob, at: datetime) -> Job:
        """Keep ``submission`` and add its ``job``, both or neither.

        Without a change it returns the waiting or running job of the same submission, lane and needs, if there is one.
        The job's turn in its lane is behind the student's own waiting jobs, one turn each.
        """

    def submit_attempt(
        self, submission: Submission, attempt: Attempt, job: NewJob, *, seen: int
    ) -> AttemptJob | None:
        """Keep ``submission``, and add its ``attempt`` and ``job``, all or none.

        Without a change it returns the attempt of the same source, or the student's newest attempt for the lab if it
        is of the same submission and its job waits or runs. Otherwise, if the student does not have as many attempts
        for the lab as the caller has ``seen``, nothing changes and it returns ``None``.
        Raises: ``ValueError`` if the attempt of the same source is of another submission.
        """

    def newest(self, key: SubmissionKey) -> Job | None:
        """The job of the submission that was added last."""

    def find(self, job: int) -> Job | None:
        """The job with this id."""

    def list(
        self, states: Collection[JobState] = (), lab: str | None = None, student: Students = None
    ) -> tuple[Job, ...]:
        """Jobs in ``states`` or in any, of a lab and of students or of all; in the order in which they run."""

    def revisions(self, states: Collection[JobState]) -> Mapping[str, tuple[int, int]]:
        """For each student how many jobs are in ``states``, and the sum of their ids: it changes with these jobs."""

    def events(self, job: int) -> tuple[JobEvent, ...]:
        """What happened to a job, the oldest first."""

    def place(self, job: int) -> Place | None:
        """Where a job stands; ``None`` unless it waits."""

    def progress(self, attempts: Collection[int]) -> Mapping[int, JobProgress]:
        """The newest job of each of ``attempts``, by the id of the attempt; an attempt without a job is not there."""

    def entered(self, job: int, attempt: int, stage: Stage) -> None:
        """Note that an attempt entered ``stage``, if it is the one that runs."""

    def waiting_needs(self) -> frozenset[Needs]:
        """The different needs of the jobs that wait."""

    def claim(self, dispatcher: str, needs: Collection[Needs]) -> Job | None:
        """Take the next job with one of ``needs``, and count an attempt. Two callers never get the same."""

    def record(self, job: int, attempt: int, record: JobRecord, at: datetime) -> Score | None:
        """Store the result of an attempt and end the job, in one transaction; the first result of a job counts.

        Returns: the score; ``None`` if the job is finished, cancelled or forgotten, and then nothing is stored.
        """

    def lost(self, job: int, attempt: int, why: str, pause_seconds: float) -> JobState | None:
        """The worker of an attempt was lost: the job waits again after a pause, or has failed after the last attempt.

        Returns: the new state; ``None`` if another attempt or nobody runs it.
        """

    def take_over(self, dispatcher: str) -> int:
        """Every job that another dispatcher runs waits again, or has failed. Returns: how many that were."""

    def cancel(self, job: int, states: Collection[JobState] = CANCELLABLE) -> bool:
        """End a job in one of ``states``; a result that still comes is discarded. Returns: whether it was in one."""

    def retry(self, job: int) -> bool:
        """Let a failed or cancelled job wait again, with all attempts."""


class Workers(Protocol):
    """The workers that the dispatcher knows."""

    def replace(self, workers: Collection[WorkerEntry]) -> None:
        """Keep ``workers`` instead of those before."""

    def list(self) -> tuple[WorkerEntry, ...]:
        """Every worker, by host and name."""
