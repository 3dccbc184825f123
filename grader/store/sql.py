"""The store in a relational database."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, Delete, Engine, Row, Select, Table, delete, func, inspect, select
from sqlalchemy.dialects import postgresql, sqlite

from grader.config.settings import Config
from grader.errors import UserError
from grader.model import results_v1
from grader.model.report import Report
from grader.model.review import Review
from grader.model.run import EngineKind
from grader.store.connect import WRITES, connect, explained, label
from grader.store.keys import RunKey, SubmissionKey
from grader.store.port import HISTORY, GradedRecord, Store
from grader.store.schema import METADATA, RECORDS, REVIEWS, SCHEMA_VERSION, VERSION

_T = TypeVar("_T")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_INSERT: dict[str, Callable[[Table], sqlite.Insert | postgresql.Insert]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}
_NEWEST_FIRST = (RECORDS.c.created_at.desc(), RECORDS.c.id.desc())
REPORT_VERSION = 2
"""Version of the stored reports. Version 1 was the published results document of schema 1."""

_READABLE = RECORDS.c.report_version <= REPORT_VERSION
"""A newer version came from a newer grader; it is graded again, not converted."""


def open_store(config: Config) -> Store:
    """Open the store that ``config`` names; create it if it does not exist.

    Raises: ``UserError`` if the database has another version, belongs to another program, is damaged or unreachable.
    """
    engine = connect(config.store.url, config.base)
    try:
        with explained(engine.url):
            _ensure_schema(engine)
    except UserError:
        engine.dispose()
        raise
    return SqlStore(engine)


class SqlStore:
    """``Store`` over SQLAlchemy: each ``put`` is a separate transaction. Thread-safe."""

    def __init__(self, engine: Engine) -> None:
        """``engine`` must come from ``connect`` and have the schema."""
        self._engine = engine
        self._insert = _INSERT[engine.dialect.name]

    def put(self, record: GradedRecord) -> None:
        """See ``Store.put``."""
        row = _row(record)
        statement = self._insert(RECORDS).values(row)
        theirs = (RECORDS.c.student == record.key.student) & (RECORDS.c.lab == record.key.lab)
        kept = select(RECORDS.c.id).where(theirs).order_by(*_NEWEST_FIRST).limit(HISTORY)
        with self._transaction(writes=True) as connection:
            connection.execute(statement.on_conflict_do_update(index_elements=["key"], set_=row))
            connection.execute(delete(RECORDS).where(theirs, RECORDS.c.id.not_in(kept)))

    def find(self, key: RunKey) -> GradedRecord | None:
        """See ``Store.find``."""
        return self._first(select(RECORDS).where(RECORDS.c.key == key.digest, _READABLE))

    def latest(self, student: str, lab: str) -> GradedRecord | None:
        """See ``Store.latest``."""
        theirs = select(RECORDS).where(RECORDS.c.student == student, RECORDS.c.lab == lab, _READABLE)
        return self._first(theirs.order_by(*_NEWEST_FIRST).limit(1))

    def latest_all(
        self, lab: str | None = None, engine: EngineKind | None = None
    ) -> tuple[GradedRecord, ...]:
        """See ``Store.latest_all``."""
        age = func.row_number().over(partition_by=(RECORDS.c.lab, RECORDS.c.student), order_by=_NEWEST_FIRST)
        aged = select(RECORDS, age.label("age")).where(_READABLE)
        if lab is not None:
            aged = aged.where(RECORDS.c.lab == lab)
        if engine is not None:
            aged = aged.where(RECORDS.c.engine == engine.value)
        newest = aged.subquery()
        with self._transaction() as connection:
            rows = connection.execute(select(newest).where(newest.c.age == 1)).all()
        records = (self._record(row) for row in rows)
        return tuple(sorted(records, key=lambda record: (record.key.lab, record.key.student)))

    def history(self, lab: str | None = None) -> tuple[GradedRecord, ...]:
        """See ``Store.history``."""
        kept = select(RECORDS).where(_READABLE).order_by(*_NEWEST_FIRST)
        if lab is not None:
            kept = kept.where(RECORDS.c.lab == lab)
        with self._transaction() as connection:
            rows = connection.execute(kept).all()
        # Sorted here, because databases collate text differently.
        records = (self._record(row) for row in rows)
        return tuple(sorted(records, key=lambda record: (record.key.lab, record.key.student)))

    def add_review(self, key: SubmissionKey, review: Review) -> None:
        """See ``Store.add_review``."""
        row = {
            "hand_in": key.digest,
            "student": key.student,
            "lab": key.lab,
            "review": _encoded(review, Review),
        }
        with self._transaction(writes=True) as connection:
            connection.execute(REVIEWS.insert().values(row))

    def reviews(self, key: SubmissionKey) -> tuple[Review, ...]:
        """See ``Store.reviews``."""
        kept = select(REVIEWS.c.review).where(REVIEWS.c.hand_in == key.digest).order_by(REVIEWS.c.id)
        with self._transaction() as connection:
            rows = connection.execute(kept).scalars().all()
        try:
            return tuple(msgspec.json.decode(row, type=Review) for row in rows)
        except msgspec.DecodeError as error:
            where = f"the store {label(self._engine.url)}"
            msg = f"A review of {key.student} on {key.lab} in {where} is damaged: {error}."
            raise UserError(msg, hint="Restore the store from a copy.") from error

    def forget(self, student: str, lab: str | None = None) -> int:
        """See ``Store.forget``."""
        with self._transaction(writes=True) as connection:
            connection.execute(_of(REVIEWS, student, lab))
            return connection.execute(_of(RECORDS, student, lab)).rowcount

    def close(self) -> None:
        """See ``Store.close``."""
        self._engine.dispose()

    def _first(self, statement: Select[Any]) -> GradedRecord | None:
        with self._transaction() as connection:
            row = connection.execute(statement).first()
        return None if row is None else self._record(row)

    @contextmanager
    def _transaction(self, *, writes: bool = False) -> Iterator[Connection]:
        engine = self._engine.execution_options(**{WRITES: writes})
        with explained(self._engine.url), engine.begin() as connection:
            yield connection

    def _record(self, row: Row[Any]) -> GradedRecord:
        try:
            return GradedRecord(
                key=msgspec.json.decode(row.run_key, type=RunKey),
                report=_report(row),
                seed=int(row.seed),
                created_at=_EPOCH + row.created_at * _MICROSECOND,
                seconds=row.seconds,
            )
        except msgspec.DecodeError as error:
            where = f"the store {label(self._engine.url)}"
            msg = f"The record of {row.student} on {row.lab} in {where} is damaged: {error}."
            raise UserError(msg, hint="Grade it again with --fresh.") from error


def _report(row: Row[Any]) -> Report:
    if row.report_version == results_v1.SCHEMA_VERSION:
        return results_v1.report_value(msgspec.json.decode(row.report, type=results_v1.Report))
    return msgspec.json.decode(row.report, type=Report)


def _of(table: Table, student: str, lab: str | None) -> Delete:
    """Statement that deletes a student's rows from ``table``, of one lab or all."""
    statement = delete(table).where(table.c.student == student)
    return statement if lab is None else statement.where(table.c.lab == lab)


def _row(record: GradedRecord) -> dict[str, object]:
    if record.created_at.tzinfo is None:
        msg = "created_at needs a time zone"
        raise ValueError(msg)
    return {
        "key": record.key.digest,
        "student": record.key.student,
        "lab": record.key.lab,
        "engine": record.key.engine.kind.value,
        "report_version": REPORT_VERSION,
        "seed": str(record.seed),
        "created_at": (record.created_at - _EPOCH) // _MICROSECOND,
        "seconds": record.seconds,
        "run_key": _encoded(record.key, RunKey),
        "report": _encoded(record.report, Report),
    }


def _encoded(value: _T, kind: type[_T]) -> bytes:
    """JSON that decodes to ``value``. Raises: ``ValueError`` if there is none, for example for infinity."""
    data = msgspec.json.encode(value)
    try:
        same = msgspec.json.decode(data, type=kind) == value
    except msgspec.DecodeError as error:
        msg = f"a {kind.__name__} that JSON cannot hold: {error}"
        raise ValueError(msg) from error
    if not same:
        msg = f"a {kind.__name__} that JSON cannot hold"
        raise ValueError(msg)
    return data


def _ensure_schema(engine: Engine) -> None:
    with engine.connect() as connection:
        version = _version(connection)
        complete = inspect(connection).has_table(REVIEWS.name)
    if version is None:
        with engine.execution_options(**{WRITES: True}).begin() as connection:
            # Another grader may have created the schema first.
            version = _version(connection) or _create(connection)
    if version != SCHEMA_VERSION:
        msg = (
            f"The store {label(engine.url)} has schema {version}; this grader reads schema {SCHEMA_VERSION}."
        )
        raise UserError(
            msg, hint="Use the version of grader that made it, or name another file with [store] url."
        )
    if not complete:
        with engine.execution_options(**{WRITES: True}).begin() as connection:
            METADATA.create_all(connection)


def _version(connection: Connection) -> int | None:
    if not inspect(connection).has_table(VERSION.name):
        return None
    return connection.execute(select(func.max(VERSION.c.version))).scalar_one() or 0


def _create(connection: Connection) -> int:
    if connection.dialect.name == "sqlite" and inspect(connection).get_table_names():
        msg = f"{label(connection.engine.url)} is the database of another program."
        raise UserError(msg, hint="Name another file with [store] url.")
    METADATA.create_all(connection)
    connection.execute(VERSION.insert().values(version=SCHEMA_VERSION))
    return SCHEMA_VERSION
