"""Attempts: values, and their rows in a relational database."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select

from grader.model.reason import Reason
from grader.model.verdict import Verdict
from grader.store.course_tables import ATTEMPTS
from grader.store.database import Database
from grader.store.documents import decode, encode
from grader.store.events import log
from grader.store.filters import narrowed
from grader.store.values import Event, EventKind, Students


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why what was submitted cannot be graded, and the verdict that it gets."""

    verdict: Verdict
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One time that a student submitted for a lab.

    ``source`` names where it came from and which it is there, such as ``moodle 12345 <digest>``: the same source again
    is the same attempt. ``submission`` is the digest of the work, ``None`` if only the time is known. ``number`` is the
    source's own count. ``submitted_at`` decides about deadlines; ``received_at`` is when the store took it in.
    ``group`` is the group that submitted; ``note`` is what staff should know about it. ``refusal``: it came without a
    source file that can be read, and ``submission`` is the digest of no files.
    """

    student: str
    lab: str
    source: str
    submission: str | None
    submitted_at: datetime
    received_at: datetime
    number: int | None = None
    group: str = ""
    note: str = ""
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedAttempt:
    """An attempt as the store holds it; ``id`` never changes."""

    id: int
    attempt: Attempt


_PLAIN = tuple(field.name for field in fields(Attempt) if field.name != "refusal")
"""The fields that are columns as they are."""


class SqlAttempts:
    """``Attempts`` over SQLAlchemy."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put_all(self, attempts: Iterable[Attempt]) -> tuple[Attempt, ...]:
        """See ``Attempts.put_all``."""
        with self._database.write() as connection:
            return tuple(each for each in attempts if self.add_within(connection, each) is not None)

    def list(self, lab: str | None = None, student: Students = None) -> tuple[Attempt, ...]:
        """See ``Attempts.list``."""
        in_order = select(ATTEMPTS).order_by(ATTEMPTS.c.submitted_at, ATTEMPTS.c.id)
        with self._database.read() as connection:
            return tuple(map(_attempt, connection.execute(narrowed(in_order, ATTEMPTS, lab, student))))

    def recorded(self, student: str, lab: str | None = None) -> tuple[RecordedAttempt, ...]:
        """See ``Attempts.recorded``."""
        with self._database.read() as connection:
            return self.recorded_within(connection, student, lab)

    def page(
        self, most: int, before: int | None = None, lab: str | None = None, student: str | None = None
    ) -> tuple[RecordedAttempt, ...]:
        """See ``Attempts.page``."""
        newest = narrowed(select(ATTEMPTS).order_by(ATTEMPTS.c.id.desc()).limit(most), ATTEMPTS, lab, student)
        if before is not None:
            newest = newest.where(ATTEMPTS.c.id < before)
        with self._database.read() as connection:
            return tuple(map(_recorded, connection.execute(newest)))

    def find(self, attempt: int) -> RecordedAttempt | None:
        """See ``Attempts.find``."""
        with self._database.read() as connection:
            row = connection.execute(select(ATTEMPTS).where(ATTEMPTS.c.id == attempt)).first()
        return None if row is None else _recorded(row)

    def recorded_within(
        self, connection: Connection, student: str, lab: str | None
    ) -> tuple[RecordedAttempt, ...]:
        """``recorded`` in the transaction of ``connection``."""
        in_order = select(ATTEMPTS).order_by(ATTEMPTS.c.submitted_at, ATTEMPTS.c.id)
        return tuple(map(_recorded, connection.execute(narrowed(in_order, ATTEMPTS, lab, student))))

    def add_within(self, connection: Connection, attempt: Attempt) -> int | None:
        """Add ``attempt`` in the transaction of ``connection``. Returns: its id; ``None`` if its source is known."""
        once = self._database.insert(ATTEMPTS).values(_row(attempt)).on_conflict_do_nothing()
        added = connection.execute(once.returning(ATTEMPTS.c.id)).scalar()
        if added is not None:
            log(connection, _event(attempt))
        return added


def _recorded(row: Row[Any]) -> RecordedAttempt:
    return RecordedAttempt(id=row.id, attempt=_attempt(row))


def _attempt(row: Row[Any]) -> Attempt:
    refusal = None if row.refusal is None else decode(row.refusal.encode(), Refusal)
    return Attempt(**{name: getattr(row, name) for name in _PLAIN}, refusal=refusal)


def _row(attempt: Attempt) -> dict[str, object]:
    refusal = None if attempt.refusal is None else encode(attempt.refusal, Refusal).decode()
    return {**{name: getattr(attempt, name) for name in _PLAIN}, "refusal": refusal}


def _event(attempt: Attempt) -> Event:
    return Event(
        kind=EventKind.ATTEMPTED,
        at=attempt.received_at,
        student=attempt.student,
        lab=attempt.lab,
        submission=attempt.submission or "",
        detail=attempt.source,
    )
