"""The grades on their way to course systems, in a relational database."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, select, update

from grader.store.database import Database
from grader.store.lti_tables import PUSH_EVENTS, PUSHES
from grader.store.lti_values import LabLink, Points, Push, PushEvent, PushEventKind, PushState

_STAMP_STEP = timedelta(milliseconds=1)
"""Platforms compare stamps, some of them in milliseconds."""

_OPEN = (PushState.WAITING, PushState.SENDING)


class SqlPushes:
    """``Pushes`` over SQLAlchemy."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def want(self, link: LabLink, grades: Mapping[str, Points | None], at: datetime) -> int:
        """See ``Pushes.want``."""
        with self._database.write() as connection:
            found = connection.execute(select(PUSHES).where(PUSHES.c.link == link.id))
            known = {row.student: _push(row) for row in found}
            sent = 0
            for student, wanted in sorted(grades.items(), key=lambda each: each[0]):
                if student in known:
                    sent += _change(connection, known[student], wanted, at)
                elif wanted is not None:
                    _add(connection, link, student, wanted, at)
                    sent += 1
            return sent

    def due(self, at: datetime) -> tuple[Push, ...]:
        """See ``Pushes.due``."""
        wanted = PUSHES.c.state.in_(_OPEN) & (PUSHES.c.not_before <= at)
        with self._database.read() as connection:
            found = connection.execute(
                select(PUSHES).where(wanted).order_by(PUSHES.c.not_before, PUSHES.c.id)
            )
            return tuple(map(_push, found))

    def start(self, push: Push, at: datetime) -> Push | None:
        """See ``Pushes.start``."""
        with self._database.write() as connection:
            row = connection.execute(select(PUSHES).where(PUSHES.c.id == push.id).with_for_update()).first()
            if row is None or _push(row) != push:
                return None
            stamp = push.stamp
            if push.state is not PushState.SENDING or stamp is None:
                stamp = at if stamp is None else max(at, stamp + _STAMP_STEP)
            values = {"state": PushState.SENDING, "stamp": stamp, "tries": push.tries + 1}
            changed = update(PUSHES).where(PUSHES.c.id == push.id).values(values).returning(*PUSHES.c)
            return _push(connection.execute(changed).one())

    def delivered(self, push: Push, at: datetime) -> None:
        """See ``Pushes.delivered``."""
        values: dict[str, Any] = {**_columns("sent", push.wanted), "why": ""}
        with self._database.write() as connection:
            changed = update(PUSHES).where(PUSHES.c.id == push.id).values(values).returning(*PUSHES.c)
            row = connection.execute(changed).first()
            if row is None:
                return  # the student was erased
            if _push(row).wanted == push.wanted:
                _set(connection, push.id, state=PushState.SENT, tries=0)
            _log(connection, push, PushEventKind.SENT, at)

    def failed(self, push: Push, why: str, at: datetime, again: datetime | None) -> None:
        """See ``Pushes.failed``."""
        state = PushState.REFUSED if again is None else PushState.SENDING
        values: dict[str, Any] = {"state": state, "why": why}
        if again is not None:
            values["not_before"] = again
        still = (PUSHES.c.id == push.id) & (PUSHES.c.state == PushState.SENDING)
        kind = PushEventKind.REFUSED if again is None else PushEventKind.FAILED
        with self._database.write() as connection:
            if connection.execute(update(PUSHES).where(still).values(values)).rowcount:
                _log(connection, push, kind, at, why)

    def retry(self, at: datetime) -> int:
        """See ``Pushes.retry``."""
        later = PUSHES.c.state.in_(_OPEN) & (PUSHES.c.not_before > at)
        with self._database.write() as connection:
            refused = PUSHES.c.state == PushState.REFUSED
            found = connection.execute(select(PUSHES).where(refused | later)).all()
            for row in found:
                state = PushState.WAITING if row.state is PushState.REFUSED else row.state
                _set(connection, row.id, state=state, not_before=at, tries=0)
                _log(connection, _push(row), PushEventKind.RETRIED, at)
            return len(found)

    def list(self) -> tuple[Push, ...]:
        """See ``Pushes.list``."""
        with self._database.read() as connection:
            found = map(_push, connection.execute(select(PUSHES)))
            return tuple(sorted(found, key=lambda push: (push.lab, push.student, push.link)))

    def events(self, limit: int = 200) -> tuple[PushEvent, ...]:
        """See ``Pushes.events``."""
        columns = (PUSHES.c.student, PUSHES.c.lab, *(PUSH_EVENTS.c[name] for name in _LOGGED))
        newest = (
            select(*columns).join_from(PUSH_EVENTS, PUSHES).order_by(PUSH_EVENTS.c.id.desc()).limit(limit)
        )
        with self._database.read() as connection:
            return tuple(PushEvent(**row._mapping) for row in connection.execute(newest))  # noqa: SLF001 - SQLAlchemy's public name


_LOGGED = ("at", "kind", "points", "detail")


def _add(connection: Connection, link: LabLink, student: str, wanted: Points, at: datetime) -> None:
    row = {
        "link": link.id,
        "student": student,
        "lab": link.lab,
        **_columns("wanted", wanted),
        "state": PushState.WAITING,
        "tries": 0,
        "not_before": at,
        "why": "",
    }
    made = connection.execute(PUSHES.insert().values(row).returning(*PUSHES.c)).one()
    _log(connection, _push(made), PushEventKind.WANTED, at)


def _change(connection: Connection, known: Push, wanted: Points | None, at: datetime) -> bool:
    """Note a grade that may differ from the ``known`` one. Returns: whether it is to be sent because of it."""
    if known.wanted == wanted:
        return False
    # What is under way may arrive still, so that the platform's grade is unknown until the newer one is there.
    has_it = known.sent == wanted and known.state is not PushState.SENDING
    state = PushState.SENT if has_it else PushState.WAITING
    changed = {**_columns("wanted", wanted), "state": state, "tries": 0, "not_before": at, "why": ""}
    _set(connection, known.id, **changed)
    if not has_it:
        _log(connection, replace(known, wanted=wanted), PushEventKind.WANTED, at)
    return not has_it


def _set(connection: Connection, push: int, **values: Any) -> None:
    connection.execute(update(PUSHES).where(PUSHES.c.id == push).values(values))


def _log(connection: Connection, push: Push, kind: PushEventKind, at: datetime, detail: str = "") -> None:
    row = {
        "push": push.id,
        "at": at,
        "kind": kind,
        "points": None if push.wanted is None else push.wanted.points,
        "detail": detail,
    }
    connection.execute(PUSH_EVENTS.insert().values(row))


def _columns(name: str, grade: Points | None) -> dict[str, float | None]:
    return {
        name: None if grade is None else grade.points,
        f"{name}_most": None if grade is None else grade.most,
    }


def _points(points: float | None, most: float | None) -> Points | None:
    return None if points is None or most is None else Points(points=points, most=most)


def _push(row: Row[Any]) -> Push:
    return Push(
        id=row.id,
        link=row.link,
        student=row.student,
        lab=row.lab,
        wanted=_points(row.wanted, row.wanted_most),
        sent=_points(row.sent, row.sent_most),
        state=row.state,
        tries=row.tries,
        not_before=row.not_before,
        stamp=row.stamp,
        why=row.why,
    )
