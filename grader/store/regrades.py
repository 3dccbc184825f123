"""Regrade sets: values, and their rows in a relational database."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Row, func, select, text, tuple_, update

from grader.store.database import Database
from grader.store.decisions import add as add_decision
from grader.store.documents import compress, decode, decompress, encode
from grader.store.facts import put_facts
from grader.store.regrade_tables import OPEN, REGRADE_ROWS, REGRADES, RowState
from grader.store.rulings import RegradeOutcome
from grader.store.scores import put_score
from grader.store.tables import SCORES
from grader.store.values import Decision, NewScore, Score, StoredFacts

_T = TypeVar("_T")

Work = tuple[str, str]
"""A student and a lab."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Regrade:
    """A regrade set: who made it, when and why, and how many of its rows are in each state."""

    id: int
    created_at: datetime
    who: str
    why: str
    fresh: bool
    counts: Mapping[RowState, int]

    @property
    def is_open(self) -> bool:
        """Whether there is something to run, apply or discard."""
        return any(self.counts.get(state) for state in OPEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class RegradeRow:
    """One student and lab of a set. ``before`` is the id of the score that counted; ``proposed`` the new one."""

    regrade: int
    student: str
    lab: str
    submission: str
    before: int
    state: RowState
    proposed: NewScore | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A score that a run proposes, with the facts that it is of."""

    score: NewScore
    facts: StoredFacts | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """Who applies or discards rows, when and why; ``works``: only these."""

    who: str
    why: str
    at: datetime
    works: frozenset[Work] | None = None


class SqlRegrades:
    """``Regrades`` over SQLAlchemy."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(
        self, scores: Collection[Score], who: str, why: str, at: datetime, *, fresh: bool
    ) -> int | None:
        """See ``Regrades.create``."""
        with self._database.write() as connection:
            _lock_scores(connection)
            if _open_works(connection) & {(each.key.student, each.key.lab) for each in scores}:
                return None
            made = REGRADES.insert().values(created_at=at, who=who, why=why, fresh=fresh)
            (regrade,) = connection.execute(made).inserted_primary_key or (0,)
            rows = [
                {
                    "regrade": regrade,
                    "student": each.key.student,
                    "lab": each.key.lab,
                    "submission": each.key.digest,
                    "before": each.id,
                    "state": RowState.WAITING,
                }
                for each in scores
            ]
            connection.execute(REGRADE_ROWS.insert(), rows)
        return int(regrade)

    def list(self) -> tuple[Regrade, ...]:
        """See ``Regrades.list``."""
        by_state = select(REGRADE_ROWS.c.regrade, REGRADE_ROWS.c.state, func.count().label("rows")).group_by(
            REGRADE_ROWS.c.regrade, REGRADE_ROWS.c.state
        )
        counts: dict[int, dict[RowState, int]] = {}
        with self._database.read() as connection:
            for row in connection.execute(by_state):
                counts.setdefault(row.regrade, {})[row.state] = row.rows
            found = connection.execute(select(REGRADES).order_by(REGRADES.c.id)).all()
        return tuple(
            Regrade(
                id=row.id,
                created_at=row.created_at,
                who=row.who,
                why=row.why,
                fresh=row.fresh,
                counts=counts.get(row.id, {}),
            )
            for row in found
        )

    def rows(self, regrade: int) -> tuple[RegradeRow, ...]:
        """See ``Regrades.rows``."""
        with self._database.read() as connection:
            found = connection.execute(select(REGRADE_ROWS).where(REGRADE_ROWS.c.regrade == regrade)).all()
        return tuple(sorted(map(self._row, found), key=lambda row: (row.lab, row.student)))

    def state(self, row: RegradeRow) -> RowState | None:
        """See ``Regrades.state``."""
        with self._database.read() as connection:
            return connection.execute(select(REGRADE_ROWS.c.state).where(_is_row(row))).scalar()

    def propose(self, row: RegradeRow, proposal: Proposal) -> bool:
        """See ``Regrades.propose``."""
        values = {
            "state": RowState.PROPOSED,
            "score": compress(encode(proposal.score, NewScore)),
            "facts": proposal.facts and compress(encode(proposal.facts, StoredFacts)),
        }
        with self._database.write() as connection:
            return _move(connection, row, RowState.WAITING, **values)

    def settle(self, row: RegradeRow, state: RowState) -> bool:
        """See ``Regrades.settle``."""
        with self._database.write() as connection:
            return _move(connection, row, RowState.WAITING, state=state)

    def apply(self, regrade: int, closing: Closing) -> tuple[RegradeRow, ...]:
        """See ``Regrades.apply``."""
        closed = []
        with self._database.write() as connection:
            _lock_scores(connection)
            for found in connection.execute(_closable(regrade, closing, [RowState.PROPOSED])).all():
                row = self._row(found)
                is_newest = _newest(connection, row) == row.before
                state = RowState.APPLIED if is_newest else RowState.SUPERSEDED
                if not _move(connection, row, RowState.PROPOSED, state=state, score=None, facts=None):
                    continue
                if is_newest and row.proposed is not None:
                    facts = self._decoded(found.facts, StoredFacts)
                    if facts is not None:
                        put_facts(self._database, connection, facts, replace=True)
                    put_score(connection, row.proposed, closing.at)
                    add_decision(connection, _outcome(connection, row, closing, applied=True))
                closed.append(replace(row, state=state))
        return tuple(closed)

    def discard(self, regrade: int, closing: Closing) -> tuple[RegradeRow, ...]:
        """See ``Regrades.discard``."""
        closed = []
        with self._database.write() as connection:
            for found in connection.execute(_closable(regrade, closing, OPEN)).all():
                row = self._row(found)
                if _move(connection, row, row.state, state=RowState.DISCARDED, score=None, facts=None):
                    if row.proposed is not None:
                        add_decision(connection, _outcome(connection, row, closing, applied=False))
                    closed.append(replace(row, state=RowState.DISCARDED))
        return tuple(closed)

    def _row(self, row: Row[Any]) -> RegradeRow:
        return RegradeRow(
            regrade=row.regrade,
            student=row.student,
            lab=row.lab,
            submission=row.submission,
            before=row.before,
            state=row.state,
            proposed=self._decoded(row.score, NewScore),
        )

    def _decoded(self, data: bytes | None, kind: type[_T]) -> _T | None:
        with self._database.damage_named("A row of a regrade"):
            return None if data is None else decode(decompress(data), kind)


def _closable(regrade: int, closing: Closing, states: Collection[RowState]) -> Any:
    wanted: ColumnElement[bool] = (REGRADE_ROWS.c.regrade == regrade) & REGRADE_ROWS.c.state.in_(states)
    if closing.works is not None:
        wanted &= tuple_(REGRADE_ROWS.c.student, REGRADE_ROWS.c.lab).in_(sorted(closing.works))
    # Two who close the same rows wait for each other in one order.
    return select(REGRADE_ROWS).where(wanted).order_by(REGRADE_ROWS.c.lab, REGRADE_ROWS.c.student)


def _move(connection: Connection, row: RegradeRow, expected: RowState, **values: Any) -> bool:
    """Change ``row`` if it is in the ``expected`` state still. Returns: whether it was."""
    is_expected = _is_row(row) & (REGRADE_ROWS.c.state == expected)
    return connection.execute(update(REGRADE_ROWS).where(is_expected).values(values)).rowcount > 0


def _is_row(row: RegradeRow) -> ColumnElement[bool]:
    columns = REGRADE_ROWS.c
    return (columns.regrade == row.regrade) & (columns.student == row.student) & (columns.lab == row.lab)


def _open_works(connection: Connection) -> set[Work]:
    columns = REGRADE_ROWS.c
    found = connection.execute(select(columns.student, columns.lab).where(columns.state.in_(OPEN)))
    return {(row.student, row.lab) for row in found}


def _newest(connection: Connection, row: RegradeRow) -> int | None:
    theirs = (SCORES.c.lab == row.lab) & (SCORES.c.student == row.student)
    return connection.execute(select(func.max(SCORES.c.id)).where(theirs)).scalar()


def _lock_scores(connection: Connection) -> None:
    """Let nobody else store scores until the end: the newest is to stay the newest. SQLite locks by itself."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("LOCK TABLE scores, regrade_rows IN SHARE ROW EXCLUSIVE MODE"))


def _outcome(connection: Connection, row: RegradeRow, closing: Closing, *, applied: bool) -> Decision:
    before = connection.execute(select(SCORES.c.score).where(SCORES.c.id == row.before)).scalar()
    after = row.proposed.report.score if row.proposed is not None else 0.0
    ruling = RegradeOutcome(regrade=row.regrade, applied=applied, before=before or 0.0, after=after)
    return Decision(
        student=row.student,
        lab=row.lab,
        submission=row.submission,
        ruling=ruling,
        who=closing.who,
        why=closing.why,
        decided_at=closing.at,
    )
