"""Transactions on the store's database, and its errors as one line for the user."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Table,
    func,
    literal_column,
    select,
    type_coerce,
)

from grader.errors import UserError
from grader.store.column_types import Instant
from grader.store.connect import WRITES, explained, label
from grader.store.documents import DamagedError

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

_MICROSECONDS_NOW = {
    "sqlite": "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) * 1000",
    "postgresql": "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)",
}


def _insert_of(dialect: str) -> Callable[[Table], "sqlite.Insert | postgresql.Insert"]:
    """The dialect's ``insert``; only its own dialect is loaded, since that of PostgreSQL takes a while."""
    if dialect == "postgresql":
        from sqlalchemy.dialects.postgresql import insert  # noqa: PLC0415 - loads asyncio

        return insert
    from sqlalchemy.dialects.sqlite import insert as insert_into_sqlite  # noqa: PLC0415 - loads asyncio

    return insert_into_sqlite


class Database:
    """An engine that ``connect`` made, with the current schema. Threads may share it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.insert = _insert_of(engine.dialect.name)
        """Makes an ``INSERT`` that may have an ``ON CONFLICT`` clause."""

    @property
    def now(self) -> ColumnElement[datetime]:
        """The database's own clock, which hosts that share it agree on."""
        return type_coerce(literal_column(_MICROSECONDS_NOW[self._engine.dialect.name]), Instant())

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that only reads. Raises: ``UserError``."""
        with self._transaction(writes=False) as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that writes; durable when it ends without an error. Raises: ``UserError``."""
        with self._transaction(writes=True) as connection:
            yield connection

    @contextmanager
    def damage_named(self, what: str) -> Iterator[None]:
        """Turn a ``DamagedError`` into a ``UserError`` about ``what``."""
        try:
            yield
        except DamagedError as error:
            msg = f"{what} in the store {label(self._engine.url)} is damaged: {error}."
            raise UserError(
                msg, hint="Restore the store from a backup, or grade again with --fresh."
            ) from error

    def hold(self, connection: Connection, name: str) -> None:
        """Keep other writers that hold the same ``name`` waiting until the transaction ends."""
        # SQLite has one writer at a time.
        if self._engine.dialect.name == "postgresql":
            connection.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))

    def close(self) -> None:
        """Close connections and files."""
        self._engine.dispose()

    @contextmanager
    def _transaction(self, *, writes: bool) -> Iterator[Connection]:
        engine = self._engine.execution_options(**{WRITES: writes})
        with explained(self._engine.url), engine.begin() as connection:
            yield connection


def later(now: ColumnElement[datetime], seconds: float) -> ColumnElement[datetime]:
    """``seconds`` after ``now``."""
    return type_coerce(now.op("+")(literal_column(str(round(seconds * 1_000_000)))), Instant())
