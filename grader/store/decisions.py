"""Decisions of staff in a relational database."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, Row, Select, func, select

from grader.store.database import Database
from grader.store.documents import decode, encode
from grader.store.events import log
from grader.store.filters import narrowed
from grader.store.rulings import (
    BoardChoice,
    BoardFreeze,
    Erasure,
    ErasureRequest,
    Excuse,
    Extension,
    FlagReview,
    LineComment,
    Override,
    Publication,
    RegradeAnswer,
    RegradeOutcome,
    RegradeRequest,
    Ruling,
    RulingKind,
)
from grader.store.tables import DECISIONS
from grader.store.values import Decision, Event, EventKind, Students, SubmissionKey

_TYPES: dict[RulingKind, type[Ruling]] = {
    RulingKind.REVIEW: FlagReview,
    RulingKind.OVERRIDE: Override,
    RulingKind.EXCUSE: Excuse,
    RulingKind.EXTENSION: Extension,
    RulingKind.COMMENT: LineComment,
    RulingKind.REQUEST: RegradeRequest,
    RulingKind.ANSWER: RegradeAnswer,
    RulingKind.REGRADE: RegradeOutcome,
    RulingKind.PUBLICATION: Publication,
    RulingKind.BOARD_CHOICE: BoardChoice,
    RulingKind.BOARD_FREEZE: BoardFreeze,
    RulingKind.ERASURE_REQUEST: ErasureRequest,
    RulingKind.ERASURE: Erasure,
}
_KINDS = {ruling: kind for kind, ruling in _TYPES.items()}


class SqlDecisions:
    """``Decisions`` over SQLAlchemy."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, decision: Decision) -> None:
        """See ``Decisions.add``."""
        with self._database.write() as connection:
            add(connection, decision)

    def list(self, lab: str | None = None, student: Students = None) -> tuple[Decision, ...]:
        """See ``Decisions.list``."""
        found = narrowed(_oldest_first(), DECISIONS, lab, student)
        with self._database.read() as connection:
            return _read(self._database, connection, found)

    def newest(
        self, lab: str | None = None, student: str | None = None, *, skip: int = 0, limit: int = 100
    ) -> tuple[Decision, ...]:
        """See ``Decisions.newest``."""
        newest_first = select(DECISIONS).order_by(DECISIONS.c.id.desc()).offset(skip).limit(limit)
        with self._database.read() as connection:
            return _read(self._database, connection, narrowed(newest_first, DECISIONS, lab, student))

    def count(self, lab: str | None = None, student: str | None = None) -> int:
        """See ``Decisions.count``."""
        found = narrowed(select(func.count()).select_from(DECISIONS), DECISIONS, lab, student)
        with self._database.read() as connection:
            return int(connection.execute(found).scalar_one())


def add(connection: Connection, decision: Decision) -> None:
    """Append ``decision`` in a transaction that may do more."""
    ruling = type(decision.ruling)
    row = {
        "student": decision.student,
        "lab": decision.lab,
        "submission": decision.submission,
        "decided_at": decision.decided_at,
        "who": decision.who,
        "why": decision.why,
        "kind": _KINDS[ruling],
        "ruling": encode(decision.ruling, ruling),
    }
    connection.execute(DECISIONS.insert().values(row))
    log(connection, _event(decision))


def decisions_of(
    database: Database, connection: Connection, keys: Collection[SubmissionKey]
) -> tuple[Decision, ...]:
    """Every decision about the labs of ``keys`` and their students, oldest first."""
    labs, students = {key.lab for key in keys}, {key.student for key in keys}
    found = _read(database, connection, _oldest_first().where(DECISIONS.c.lab.in_(labs)))
    return tuple(decision for decision in found if decision.student in students)


def _oldest_first() -> Select[Any]:
    return select(DECISIONS).order_by(DECISIONS.c.id)


def _read(database: Database, connection: Connection, statement: Select[Any]) -> tuple[Decision, ...]:
    with database.damage_named("A decision"):
        return tuple(map(_decision, connection.execute(statement)))


def _decision(row: Row[Any]) -> Decision:
    return Decision(
        student=row.student,
        lab=row.lab,
        submission=row.submission,
        ruling=decode(row.ruling, _TYPES[row.kind]),
        who=row.who,
        why=row.why,
        decided_at=row.decided_at,
    )


def _event(decision: Decision) -> Event:
    return Event(
        kind=EventKind.DECIDED,
        at=decision.decided_at,
        student=decision.student,
        lab=decision.lab,
        submission=decision.submission or "",
        who=decision.who,
        detail=_KINDS[type(decision.ruling)],
    )
