"""The queue in a relational database: one statement claims a job, one transaction records its result."""

from collections.abc import Collection, Mapping
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, func, select, update

from grader.model.needs import Needs
from grader.model.stage import Stage
from grader.model.submission import Submission
from grader.store.attempts import Attempt, RecordedAttempt, SqlAttempts
from grader.store.database import Database, later
from grader.store.documents import decode
from grader.store.facts import put_facts
from grader.store.filters import narrowed
from grader.store.job_moves import log_moves, move, moved_to
from grader.store.job_progress import place_of, progress_of
from grader.store.job_rows import event_of, job_of, jobs, needs_text, own_columns
from grader.store.job_submission import OPEN, ORDER, add_job, newest_job, repeated
from grader.store.job_tables import JOB_EVENTS, JOBS
from grader.store.job_values import (
    CANCELLABLE,
    MAX_ATTEMPTS,
    AttemptJob,
    Job,
    JobEvent,
    JobEventKind,
    JobProgress,
    JobRecord,
    JobState,
    NewJob,
    Place,
)
from grader.store.scores import SqlScores
from grader.store.submissions import SqlSubmissions
from grader.store.values import Score, Students, SubmissionKey


class SqlJobs:
    """``Jobs`` over SQLAlchemy."""

    def __init__(
        self,
        database: Database,
        submissions: SqlSubmissions,
        attempts: SqlAttempts,
        scores: SqlScores,
    ) -> None:
        self._database = database
        self._submissions = submissions
        self._attempts = attempts
        self._scores = scores

    def submit(self, submission: Submission, job: NewJob, at: datetime) -> Job:
        """See ``Jobs.submit``."""
        with self._database.write() as connection:
            self._database.hold(connection, f"jobs of {submission.student}")
            return add_job(connection, self._submissions, submission, job, at)

    def submit_attempt(
        self, submission: Submission, attempt: Attempt, job: NewJob, *, seen: int
    ) -> AttemptJob | None:
        """See ``Jobs.submit_attempt``."""
        with self._database.write() as connection:
            self._database.hold(connection, f"jobs of {submission.student}")
            known = self._attempts.recorded_within(connection, submission.student, submission.lab)
            if (found := repeated(connection, submission.digest, attempt, known)) is not None:
                return found
            if len(known) != seen:
                return None
            added = self._attempts.add_within(connection, attempt)
            if added is None:
                msg = "an attempt of this source is there without being listed"
                raise ValueError(msg)
            made = add_job(connection, self._submissions, submission, job, attempt.received_at)
            return AttemptJob(attempt=RecordedAttempt(id=added, attempt=attempt), job=made, is_new=True)

    def newest(self, key: SubmissionKey) -> Job | None:
        """See ``Jobs.newest``."""
        with self._database.read() as connection:
            return newest_job(connection, key)

    def find(self, job: int) -> Job | None:
        """See ``Jobs.find``."""
        with self._database.read() as connection:
            row = connection.execute(jobs().where(JOBS.c.id == job)).first()
        return None if row is None else job_of(row)

    def list(
        self, states: Collection[JobState] = (), lab: str | None = None, student: Students = None
    ) -> tuple[Job, ...]:
        """See ``Jobs.list``."""
        found = narrowed(jobs().order_by(*ORDER), JOBS, lab, student)
        if states:
            found = found.where(JOBS.c.state.in_(states))
        with self._database.read() as connection:
            return tuple(map(job_of, connection.execute(found)))

    def revisions(self, states: Collection[JobState]) -> Mapping[str, tuple[int, int]]:
        """See ``Jobs.revisions``."""
        found = (
            select(JOBS.c.student, func.count(), func.sum(JOBS.c.id))
            .where(JOBS.c.state.in_(states))
            .group_by(JOBS.c.student)
        )
        with self._database.read() as connection:
            return {student: (count, int(ids)) for student, count, ids in connection.execute(found)}

    def events(self, job: int) -> tuple[JobEvent, ...]:
        """See ``Jobs.events``."""
        found = select(JOB_EVENTS).where(JOB_EVENTS.c.job == job).order_by(JOB_EVENTS.c.id)
        with self._database.read() as connection:
            return tuple(map(event_of, connection.execute(found)))

    def place(self, job: int) -> Place | None:
        """See ``Jobs.place``."""
        with self._database.read() as connection:
            return place_of(connection, job)

    def progress(self, attempts: Collection[int]) -> Mapping[int, JobProgress]:
        """See ``Jobs.progress``."""
        with self._database.read() as connection:
            return progress_of(connection, attempts)

    def entered(self, job: int, attempt: int, stage: Stage) -> None:
        """See ``Jobs.entered``."""
        mine = (JOBS.c.id == job) & (JOBS.c.attempts == attempt)
        with self._database.write() as connection:
            log_moves(connection, self._running(connection, mine), JobEventKind.STAGE, stage)

    def waiting_needs(self) -> frozenset[Needs]:
        """See ``Jobs.waiting_needs``."""
        different = select(JOBS.c.needs).where(JOBS.c.state == JobState.WAITING).distinct()
        with self._database.read() as connection:
            texts = connection.execute(different).scalars().all()
        return frozenset(decode(text.encode(), Needs) for text in texts)

    def claim(self, dispatcher: str, needs: Collection[Needs]) -> Job | None:
        """See ``Jobs.claim``."""
        may_start = (
            (JOBS.c.state == JobState.WAITING)
            & (JOBS.c.not_before <= self._database.now)
            & JOBS.c.needs.in_([needs_text(each) for each in needs])
        )
        # SQLite has one writer at a time and no such clause; SQLAlchemy leaves it out there.
        first = select(JOBS.c.id).where(may_start).order_by(*ORDER).limit(1).with_for_update(skip_locked=True)
        claim = (
            update(JOBS)
            .where(JOBS.c.id == first.scalar_subquery())
            .values(
                state=JobState.RUNNING,
                attempts=JOBS.c.attempts + 1,
                dispatcher=dispatcher,
                claimed_at=self._database.now,
            )
            .returning(*own_columns())
        )
        with self._database.write() as connection:
            claimed = connection.execute(claim).first()
            if claimed is None:
                return None
            log_moves(connection, [claimed.id], JobEventKind.CLAIMED, dispatcher)
            return job_of(claimed)

    def record(self, job: int, attempt: int, record: JobRecord, at: datetime) -> Score | None:
        """See ``Jobs.record``."""
        open_job = (JOBS.c.id == job) & JOBS.c.state.in_(OPEN)
        end = {"finished_at": at, "seconds": record.seconds, "device": record.device, "why": ""}
        with self._database.write() as connection:
            detail = f"attempt {attempt} on {record.device}"
            if not move(connection, open_job, JobState.DONE, JobEventKind.RECORDED, detail, end):
                still = connection.execute(select(JOBS.c.id).where(JOBS.c.id == job)).scalars().all()
                log_moves(connection, still, JobEventKind.DISCARDED, detail)
                return None
            if record.facts is not None:
                put_facts(self._database, connection, record.facts, replace=True)
            return self._scores.put_within(connection, record.score, at)

    def lost(self, job: int, attempt: int, why: str, pause_seconds: float) -> JobState | None:
        """See ``Jobs.lost``."""
        mine = (JOBS.c.id == job) & (JOBS.c.attempts == attempt)
        with self._database.write() as connection:
            log_moves(connection, self._running(connection, mine), JobEventKind.LOST, why)
            return self._return(connection, mine, why, pause_seconds)

    def take_over(self, dispatcher: str) -> int:
        """See ``Jobs.take_over``."""
        others = JOBS.c.dispatcher != dispatcher
        with self._database.write() as connection:
            taken = self._running(connection, others)
            log_moves(connection, taken, JobEventKind.TAKEN_OVER, dispatcher)
            self._return(connection, others, "the dispatcher ended", 0.0)
        return len(taken)

    def cancel(self, job: int, states: Collection[JobState] = CANCELLABLE) -> bool:
        """See ``Jobs.cancel``."""
        may_end = (JOBS.c.id == job) & JOBS.c.state.in_(states)
        with self._database.write() as connection:
            return move(connection, may_end, JobState.CANCELLED, JobEventKind.CANCELLED) > 0

    def retry(self, job: int) -> bool:
        """See ``Jobs.retry``."""
        ended = (JOBS.c.id == job) & JOBS.c.state.in_([JobState.FAILED, JobState.CANCELLED])
        again = {"attempts": 0, "not_before": self._database.now}
        with self._database.write() as connection:
            return move(connection, ended, JobState.WAITING, JobEventKind.RETRIED, "", again) > 0

    def _running(self, connection: Connection, which: ColumnElement[bool]) -> Collection[int]:
        """The jobs of ``which`` that run, locked until the transaction ends."""
        running = select(JOBS.c.id).where(which, JOBS.c.state == JobState.RUNNING).with_for_update()
        return connection.execute(running).scalars().all()

    def _return(
        self, connection: Connection, which: ColumnElement[bool], why: str, pause_seconds: float
    ) -> JobState | None:
        """Let the running jobs of ``which`` wait again, or fail after the last attempt. Returns: a new state."""
        running = which & (JOBS.c.state == JobState.RUNNING)
        spent = JOBS.c.attempts >= MAX_ATTEMPTS
        failed = move(connection, running & spent, JobState.FAILED, JobEventKind.FAILED, why, {"why": why})
        again = {"why": why, "not_before": later(self._database.now, pause_seconds)}
        waiting = connection.execute(moved_to(running, JobState.WAITING, again)).rowcount
        if failed:
            return JobState.FAILED
        return JobState.WAITING if waiting else None
