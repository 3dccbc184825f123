"""Where jobs stand: their places in the queue, and the stages of those that run."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, Row, func, select, tuple_

from grader.model.stage import Stage
from grader.store.course_tables import ATTEMPTS
from grader.store.job_rows import job_of, jobs
from grader.store.job_submission import ORDER
from grader.store.job_tables import JOB_EVENTS, JOBS, WORKERS
from grader.store.job_values import JobEventKind, JobProgress, JobState, Place
from grader.store.tables import SUBMISSIONS

_RECENT = 100
"""Of so many jobs the duration enters an estimate."""

_MOST = 500
"""The most attempts of one query."""

_WAITS = JOBS.c.state == JobState.WAITING


def place_of(connection: Connection, job: int) -> Place | None:
    """See ``Jobs.place``."""
    mine = connection.execute(select(*ORDER).where(JOBS.c.id == job, _WAITS)).first()
    if mine is None:
        return None
    before = tuple_(*ORDER) < tuple_(mine.lane, mine.turn, mine.id, types=[c.type for c in ORDER])
    ahead = select(func.count()).select_from(JOBS).where(_WAITS, before)
    mean, workers = _pace(connection)
    return Place(ahead=connection.execute(ahead).scalar_one(), mean_seconds=mean, workers=workers)


def progress_of(connection: Connection, attempts: Collection[int]) -> Mapping[int, JobProgress]:
    """See ``Jobs.progress``."""
    newest: dict[int, Row[Any]] = {}
    for row in _rows(connection, attempts):
        if row.attempt_id not in newest or newest[row.attempt_id].id < row.id:
            newest[row.attempt_id] = row
    states = {row.state for row in newest.values()}
    queue: dict[int, int] = {}
    mean, workers = None, 0
    if JobState.WAITING in states:
        waiting = connection.execute(select(JOBS.c.id).where(_WAITS).order_by(*ORDER)).scalars()
        queue = {job: ahead for ahead, job in enumerate(waiting)}
        mean, workers = _pace(connection)
    stages = _stages(connection, {row.id for row in newest.values() if row.state is JobState.RUNNING})
    return {
        attempt: JobProgress(
            job=job_of(row),
            place=Place(ahead=queue[row.id], mean_seconds=mean, workers=workers) if row.id in queue else None,
            stage=stages.get(row.id),
        )
        for attempt, row in newest.items()
    }


def _rows(connection: Connection, attempts: Collection[int]) -> Iterator[Row[Any]]:
    """A row for each attempt and job of its submission."""
    of_attempt = (
        (ATTEMPTS.c.student == SUBMISSIONS.c.student)
        & (ATTEMPTS.c.lab == SUBMISSIONS.c.lab)
        & (ATTEMPTS.c.submission == SUBMISSIONS.c.digest)
    )
    found = jobs().add_columns(ATTEMPTS.c.id.label("attempt_id")).join(ATTEMPTS, of_attempt)
    for some in _batches(sorted(attempts)):
        yield from connection.execute(found.where(ATTEMPTS.c.id.in_(some)))


def _stages(connection: Connection, running: Collection[int]) -> Mapping[int, Stage]:
    """The stage of each of the ``running`` jobs that its attempt entered last."""
    found: dict[int, Stage | None] = {}
    listed = select(JOB_EVENTS.c.job, JOB_EVENTS.c.kind, JOB_EVENTS.c.detail).order_by(JOB_EVENTS.c.id)
    for some in _batches(sorted(running)):
        for job, kind, detail in connection.execute(listed.where(JOB_EVENTS.c.job.in_(some))):
            # An attempt that was lost began from the start.
            found[job] = Stage(detail) if kind is JobEventKind.STAGE else None
    return {job: stage for job, stage in found.items() if stage is not None}


def _batches(ids: list[int]) -> Iterator[list[int]]:
    return (ids[start : start + _MOST] for start in range(0, len(ids), _MOST))


def _pace(connection: Connection) -> tuple[float | None, int]:
    """How long jobs took lately, and how many workers there are."""
    recent = (
        select(JOBS.c.seconds)
        .where(JOBS.c.state == JobState.DONE)
        .order_by(JOBS.c.finished_at.desc())
        .limit(_RECENT)
        .subquery()
    )
    useful = select(func.count()).select_from(WORKERS).where(WORKERS.c.set_aside == "")
    mean = connection.execute(select(func.avg(recent.c.seconds))).scalar()
    return mean, connection.execute(useful).scalar_one()
