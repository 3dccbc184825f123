"""The audit trail in a relational database."""

from collections.abc import Mapping

from sqlalchemy import Connection, Row, func, select

from grader.store.database import Database
from grader.store.filters import narrowed
from grader.store.tables import EVENTS
from grader.store.values import Event


class SqlEvents:
    """``Events`` over SQLAlchemy."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, event: Event) -> None:
        """See ``Events.add``."""
        with self._database.write() as connection:
            log(connection, event)

    def list(
        self, lab: str | None = None, student: str | None = None, limit: int = 1000
    ) -> tuple[Event, ...]:
        """See ``Events.list``."""
        newest_first = select(EVENTS).order_by(EVENTS.c.id.desc()).limit(limit)
        found = narrowed(newest_first, EVENTS, lab, student)
        with self._database.read() as connection:
            return tuple(map(_event, connection.execute(found)))

    def revisions(self) -> Mapping[str, tuple[int, int]]:
        """See ``Events.revisions``."""
        # The count distinguishes events that were committed in another order than that of their ids.
        found = select(EVENTS.c.student, func.max(EVENTS.c.id), func.count()).group_by(EVENTS.c.student)
        with self._database.read() as connection:
            return {student: (newest, count) for student, newest, count in connection.execute(found)}


def log(connection: Connection, event: Event) -> None:
    """Append ``event`` in the transaction of what it is about."""
    connection.execute(
        EVENTS.insert().values(
            kind=event.kind,
            at=event.at,
            student=event.student,
            lab=event.lab,
            submission=event.submission,
            who=event.who,
            detail=event.detail,
        )
    )


def _event(row: Row[tuple[object, ...]]) -> Event:
    return Event(
        kind=row.kind,
        at=row.at,
        student=row.student,
        lab=row.lab,
        submission=row.submission,
        who=row.who,
        detail=row.detail,
    )
