"""What comes into the queue: a job, or an attempt with its job, once."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, func, select

from grader.model.submission import Submission
from grader.store.attempts import Attempt, RecordedAttempt
from grader.store.job_moves import log_moves, move
from grader.store.job_rows import job_of, jobs, needs_text
from grader.store.job_tables import JOBS
from grader.store.job_values import AttemptJob, Job, JobEventKind, JobState, NewJob
from grader.store.submissions import SqlSubmissions, is_submission
from grader.store.values import SubmissionKey

ORDER = (JOBS.c.lane, JOBS.c.turn, JOBS.c.id)
"""The columns by which jobs run in order."""

OPEN = (JobState.WAITING, JobState.RUNNING)
"""The states of jobs that are not finished."""


def add_job(
    connection: Connection, submissions: SqlSubmissions, submission: Submission, job: NewJob, at: datetime
) -> Job:
    """``Jobs.submit`` in the transaction of ``connection``, which holds the student's jobs."""
    stored = submissions.add_within(connection, submission, at)
    alike = (
        (JOBS.c.student == submission.student)
        & (JOBS.c.lab == submission.lab)
        & (JOBS.c.lane == job.lane)
        & (JOBS.c.needs == needs_text(job.needs))
    )
    same = alike & (JOBS.c.submission_id == stored.id) & JOBS.c.state.in_(OPEN)
    known = connection.execute(jobs().where(same, JOBS.c.trusted == job.trusted)).first()
    if known is not None:
        return job_of(known)
    if job.replaces:
        older = alike & (JOBS.c.state == JobState.WAITING)
        move(connection, older, JobState.SUPERSEDED, JobEventKind.SUPERSEDED)
    row = {
        "submission_id": stored.id,
        "student": submission.student,
        "lab": submission.lab,
        "lane": job.lane,
        "turn": _turn(connection, submission.student, job),
        "needs": needs_text(job.needs),
        "trusted": job.trusted,
        "seed": job.seed,
        "state": JobState.WAITING,
        "attempts": 0,
        "not_before": job.not_before or at,
        "submitted_at": at,
        "why": "",
    }
    added = connection.execute(JOBS.insert().values(row).returning(JOBS.c.id)).scalar_one()
    log_moves(connection, [added], JobEventKind.SUBMITTED)
    return job_of(connection.execute(jobs().where(JOBS.c.id == added)).one())


def repeated(
    connection: Connection, digest: str, attempt: Attempt, known: Sequence[RecordedAttempt]
) -> AttemptJob | None:
    """The attempt that ``attempt`` repeats, if it repeats one of those ``known``, which are in order of time."""
    key = SubmissionKey(student=attempt.student, lab=attempt.lab, digest=digest)
    same = next((each for each in known if each.attempt.source == attempt.source), None)
    if same is not None and same.attempt.submission != digest:
        msg = "an attempt of this source is of another submission"
        raise ValueError(msg)
    job = newest_job(connection, key)
    if same is None and known and known[-1].attempt.submission == digest and job is not None:
        same = known[-1] if job.state in OPEN else None
    if same is None or job is None:
        return None
    return AttemptJob(attempt=same, job=job, is_new=False)


def newest_job(connection: Connection, key: SubmissionKey) -> Job | None:
    """The job of the submission that was added last."""
    found = jobs().where(is_submission(key)).order_by(JOBS.c.id.desc()).limit(1)
    row = connection.execute(found).first()
    return None if row is None else job_of(row)


def _turn(connection: Connection, student: str, job: NewJob) -> int:
    """Behind the student's own waiting jobs: one turn after the next of the lane for each."""
    waits = (JOBS.c.state == JobState.WAITING) & (JOBS.c.lane == job.lane)
    next_turn = connection.execute(select(JOBS.c.turn).where(waits).order_by(*ORDER).limit(1)).scalar()
    own = select(func.count()).select_from(JOBS).where(waits, JOBS.c.student == student)
    return (next_turn or 0) + connection.execute(own).scalar_one()
