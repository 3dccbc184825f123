"""Back up a store to one file, and restore it to any supported database."""

import os
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from sqlalchemy import Connection, Engine, LargeBinary, MetaData, Table, exists, func, select

from grader.config.settings import Config
from grader.errors import UserError
from grader.model.text import printable
from grader.store.archive import ArchiveReader, ArchiveWriter, Manifest, TableEntry, reading, writing
from grader.store.connect import WRITES, connect, explained, label
from grader.store.documents import DamagedError
from grader.store.job_tables import WORKERS
from grader.store.schema import TABLES
from grader.store.tables import CLAIMS
from grader.store.upgrade import (
    SCHEMA,
    ensure_schema,
    is_known,
    lock,
    migrate,
    refuse_another_program,
    version_of,
)

_ROWS_AT_ONCE = 200


def backup(config: Config, file: Path) -> Manifest:
    """Write everything in the store of ``config`` to ``file``; graders may go on writing to the store.

    Claims and workers are left out: they are of graders that run now.
    Raises: ``UserError`` if ``file`` exists or cannot be written, or the store is empty or cannot be read.
    """
    if file.exists():
        msg = f"{printable(str(file))} exists already."
        raise UserError(msg, hint="Name another file.")
    unfinished = file.with_name(f"{file.name}.unfinished")
    with _opened(config) as engine, _file_errors(file):
        ensure_schema(engine)
        unfinished.unlink(missing_ok=True)
        try:
            with writing(unfinished) as archive, _snapshot(engine) as connection:
                manifest = _write(archive, connection)
            if manifest.rows == 0:
                msg = f"The store {label(engine.url)} is empty."
                raise UserError(msg, hint="Check [store] url in grader.toml.")
            _flush(unfinished)
            unfinished.replace(file)
        finally:
            unfinished.unlink(missing_ok=True)
    return manifest


def restore(file: Path, config: Config) -> Manifest:
    """Fill the empty store of ``config`` from the backup ``file``, in one transaction, and upgrade it if it is older.

    Raises: ``UserError`` if ``file`` is damaged or of a newer schema, or the store is not empty.
    """
    with _opened(config) as engine, _file_errors(file):
        try:
            with reading(file) as archive:
                _check(archive.manifest, file)
                with engine.execution_options(**{WRITES: True}).begin() as connection:
                    _read(archive, connection)
                return archive.manifest
        except DamagedError as error:
            msg = f"{printable(str(file))} cannot be restored: {error}."
            raise UserError(msg, hint="Use another backup; the store is unchanged.") from error


def _check(manifest: Manifest, file: Path) -> None:
    if not is_known(manifest.schema):
        msg = f"{printable(str(file))} has schema {manifest.schema}; this grader reads schema {SCHEMA}."
        raise UserError(msg, hint="Use the version of grader that made it.")


@contextmanager
def _opened(config: Config) -> Iterator[Engine]:
    engine = connect(config.store.url, config.base)
    try:
        with explained(engine.url):
            yield engine
    finally:
        engine.dispose()


@contextmanager
def _file_errors(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        msg = f"{printable(str(file))} cannot be used: {error.strerror or error}."
        raise UserError(msg, hint="Check the path, its permissions and the free space.") from error


@contextmanager
def _snapshot(engine: Engine) -> Iterator[Connection]:
    """A transaction that sees the store as it is now until its end; that of SQLite does so by itself."""
    options = {"isolation_level": "REPEATABLE READ"} if engine.dialect.name == "postgresql" else {}
    with engine.execution_options(**options).begin() as connection:
        yield connection


def _write(archive: ArchiveWriter, connection: Connection) -> Manifest:
    for table in _tables(connection, TABLES.tables.keys() - {CLAIMS.name, WORKERS.name}):
        columns = [str(column.name) for column in table.columns]
        binary = [str(column.name) for column in table.columns if isinstance(column.type, LargeBinary)]
        ordered = select(table).order_by(*table.primary_key.columns)
        rows = connection.execution_options(yield_per=_ROWS_AT_ONCE).execute(ordered)
        archive.add(str(table.name), columns, binary, rows)
    return archive.finish(SCHEMA, datetime.now(UTC).isoformat(timespec="seconds"))


def _read(archive: ArchiveReader, connection: Connection) -> None:
    _prepare(connection, archive.manifest.schema)
    tables = _tables(connection, {entry.name for entry in archive.manifest.tables})
    by_name = {table.name: table for table in tables}
    for entry in archive.manifest.tables:
        if entry.name not in by_name:
            msg = f"schema {archive.manifest.schema} has no table {entry.name}"
            raise DamagedError(msg)
        _fill(connection, by_name[entry.name], archive, entry)
    migrate(connection, SCHEMA)


def _prepare(connection: Connection, schema: str) -> None:
    """Make empty tables of ``schema``. Raises: ``UserError`` if there are others, or rows in them."""
    lock(connection)
    version = version_of(connection)
    if version is None:
        refuse_another_program(connection)
        migrate(connection, schema)
    elif version != schema or any(map(_has_rows(connection), TABLES.sorted_tables)):
        msg = f"The store {label(connection.engine.url)} is not empty."
        raise UserError(msg, hint="Name a new database with [store] url in grader.toml.")


def _has_rows(connection: Connection) -> Callable[[Table], bool]:
    return lambda table: connection.execute(select(exists(select(table)))).scalar_one()


def _fill(connection: Connection, table: Table, archive: ArchiveReader, entry: TableEntry) -> None:
    rows = archive.rows(entry)
    while some := list(islice(rows, _ROWS_AT_ONCE)):
        connection.execute(table.insert(), some)
    counter = table.autoincrement_column
    if counter is not None and connection.dialect.name == "postgresql" and entry.rows:
        # PostgreSQL counts ids apart from the rows.
        sequence = func.pg_get_serial_sequence(table.name, counter.name)
        connection.execute(select(func.setval(sequence, select(func.max(counter)).scalar_subquery())))


def _tables(connection: Connection, names: Container[str]) -> list[Table]:
    """The tables called ``names`` as the database has them, those that others refer to first."""
    found = MetaData()
    found.reflect(connection, only=lambda name, _: name in names)
    return found.sorted_tables


def _flush(file: Path) -> None:
    """Write ``file`` through to the disk."""
    with file.open("rb") as written:
        os.fsync(written.fileno())
