"""Transitions of jobs: each leaves an event."""

from collections.abc import Collection, Mapping

from sqlalchemy import ColumnElement, Connection, Update, update

from grader.store.job_rows import events_for
from grader.store.job_tables import JOB_EVENTS, JOBS
from grader.store.job_values import JobEventKind, JobState


def move(  # noqa: PLR0913, PLR0917 - the parts of a transition
    connection: Connection,
    which: ColumnElement[bool],
    state: JobState,
    kind: JobEventKind,
    detail: str = "",
    more: Mapping[str, object] | None = None,
) -> int:
    """Move the jobs of ``which`` to ``state``, each with an event. Returns: how many that were."""
    moved = connection.execute(moved_to(which, state, more or {}).returning(JOBS.c.id)).scalars().all()
    log_moves(connection, moved, kind, detail)
    return len(moved)


def log_moves(connection: Connection, moved: Collection[int], kind: JobEventKind, detail: str = "") -> None:
    """The event of ``kind`` for each of the jobs ``moved``."""
    if moved:
        connection.execute(JOB_EVENTS.insert(), events_for(moved, kind, detail))


def moved_to(which: ColumnElement[bool], state: JobState, more: Mapping[str, object]) -> Update:
    """The statement that moves the jobs of ``which``."""
    return update(JOBS).where(which).values(state=state, **more)
