"""Rows of the queue's tables to values and back."""

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Row, Select, select

from grader.model.needs import ComputeDevice, Needs
from grader.store.documents import decode
from grader.store.job_tables import JOBS
from grader.store.job_values import Job, JobEvent, JobEventKind, WorkerEntry
from grader.store.tables import SUBMISSIONS
from grader.store.values import SubmissionKey


def jobs() -> Select[Any]:
    """Rows that ``job_of`` reads."""
    return select(JOBS, SUBMISSIONS.c.digest).join(SUBMISSIONS)


def own_columns() -> tuple[ColumnElement[Any], ...]:
    """What ``job_of`` reads of the rows that a statement on the jobs changes and returns."""
    digest = select(SUBMISSIONS.c.digest).where(SUBMISSIONS.c.id == JOBS.c.submission_id)
    return (*JOBS.c, digest.scalar_subquery().label("digest"))


def job_of(row: Row[Any]) -> Job:
    """The job of a row of ``jobs``."""
    return Job(
        id=row.id,
        key=SubmissionKey(student=row.student, lab=row.lab, digest=row.digest),
        lane=row.lane,
        turn=row.turn,
        needs=_needs(row.needs),
        trusted=row.trusted,
        seed=row.seed,
        state=row.state,
        attempts=row.attempts,
        not_before=row.not_before,
        submitted_at=row.submitted_at,
        dispatcher=row.dispatcher,
        claimed_at=row.claimed_at,
        finished_at=row.finished_at,
        seconds=row.seconds,
        device=row.device,
        why=row.why,
    )


@lru_cache(maxsize=64)
def _needs(text: str) -> Needs:
    """The needs in a column. A course has few different ones, and a list of jobs hundreds of rows."""
    return decode(text.encode(), Needs)


def needs_text(needs: Needs) -> str:
    """``needs`` as JSON; equal needs have equal texts."""
    return msgspec.json.encode(needs).decode()


def event_of(row: Row[Any]) -> JobEvent:
    """The event of a row of ``JOB_EVENTS``."""
    return JobEvent(job=row.job, at=row.at, kind=row.kind, detail=row.detail)


def events_for(moved: Iterable[int], kind: JobEventKind, detail: str) -> list[dict[str, object]]:
    """Rows of ``JOB_EVENTS``: the same happened now to each of the jobs."""
    at = datetime.now(UTC)
    return [{"job": job, "at": at, "kind": kind, "detail": detail} for job in moved]


def worker_row(worker: WorkerEntry) -> dict[str, object]:
    """The row of ``WORKERS`` for ``worker``."""
    return {
        "name": worker.name,
        "host": worker.host,
        "device": msgspec.json.encode(worker.device),
        "since": worker.since,
        "job": worker.job,
        "set_aside": worker.set_aside,
    }


def worker_of(row: Row[Any]) -> WorkerEntry:
    """The worker of a row of ``WORKERS``."""
    return WorkerEntry(
        name=row.name,
        host=row.host,
        device=decode(row.device, ComputeDevice),
        since=row.since,
        job=row.job,
        set_aside=row.set_aside,
    )
