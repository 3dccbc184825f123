"""Open databases by URL, and explain their errors with a hint."""

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError, StatementError

from grader.errors import UnavailableError, UserError
from grader.model.text import printable

DEFAULT_FILE = Path(".grader", "grader.sqlite")
"""Default database of a configuration without a URL, in the folder of ``grader.toml``."""

WRITES = "grader_writes"
"""Execution option of a connection that will write."""

_BUSY_SECONDS = 30.0
_SUPPORTED = "Use sqlite:///FILE or postgresql+psycopg://USER@HOST/DATABASE in [store] url."

_HINTS_BY_WORD = {
    "locked": "Another program is using it; try again when that has finished.",
    "not a database": "Move the file away to start with an empty store, or name another one with [store] url.",
    "malformed": "Restore it from a backup, or move the file away to start with an empty store.",
    "full": "Make room on the disk; what was graded before is kept.",
    "readonly": "Give this user the right to write there, or name another path with [store] url.",
    "unable to open": "See that it is a file in a folder that this user can write to.",
}
"""Hints by a word in SQLite's message."""


def connect(url: str, base: Path) -> Engine:
    """The database at ``url``; a relative SQLite file is below ``base``, an empty URL is the default file.

    Raises: ``UserError`` if the URL is invalid or unsupported here.
    """
    parsed = _parsed(url, base)
    backend = parsed.get_backend_name()
    try:
        if backend == "sqlite":
            return _sqlite(parsed)
        if backend == "postgresql":
            return create_engine(parsed, pool_pre_ping=True)
    except ModuleNotFoundError as error:
        msg = f"The store needs the Python package {error.name}, which is not installed."
        raise UserError(msg, hint=f"Install it: pip install {error.name}") from error
    except SQLAlchemyError as error:
        msg = f"{label(parsed)} is no database that can be opened: {_first_line(error)}."
        raise UserError(msg, hint=_SUPPORTED) from error
    msg = f"A store in {backend} is not supported."
    raise UserError(msg, hint=_SUPPORTED)


def label(url: URL) -> str:
    """Label of the database for messages: its file, or its URL without the password."""
    shown = url.database if url.get_backend_name() == "sqlite" else url.render_as_string(hide_password=True)
    return printable(str(shown))


@contextlib.contextmanager
def explained(url: URL) -> Iterator[None]:
    """Turn a database's errors into an ``UnavailableError`` about the one at ``url``.

    Raises: ``ValueError`` if a value fits into no column, which is the caller's mistake.
    """
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error) as error:
        if isinstance(error, StatementError) and isinstance(error.orig, ValueError):
            raise error.orig from error
        reason = _first_line(error)
        hint = next((hint for word, hint in _HINTS_BY_WORD.items() if word in reason), None)
        msg = f"The store {label(url)} cannot be used: {reason}."
        raise UnavailableError(msg, hint=hint) from error


def _parsed(url: str, base: Path) -> URL:
    try:
        parsed = make_url(url) if url else URL.create("sqlite", database=str(DEFAULT_FILE))
    except ArgumentError as error:
        msg = "[store] url is not a database URL."
        raise UserError(msg, hint=_SUPPORTED) from error
    if parsed.get_backend_name() != "sqlite":
        return parsed
    if parsed.database in {None, "", ":memory:"}:
        msg = "[store] url names no file: a store in memory would lose every grade."
        raise UserError(msg, hint=_SUPPORTED)
    return parsed.set(database=str(base / str(parsed.database)))


def _sqlite(url: URL) -> Engine:
    file = Path(str(url.database))
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        msg = f"The folder of the store, {printable(str(file.parent))}, cannot be made: {error.strerror}."
        raise UserError(msg, hint="Name another path with [store] url.") from error
    engine = create_engine(url, connect_args={"timeout": _BUSY_SECONDS})
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: sqlite3.Connection, _record: object) -> None:
    # Python's driver would begin transactions implicitly and too late; `_begin` does it explicitly.
    connection.isolation_level = None
    deadline = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            break
        except sqlite3.OperationalError as error:
            # Two programs may open a new file at once; only this statement does not wait for the lock.
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def _begin(connection: Connection) -> None:
    # A writer locks at once: a transaction that reads first can no longer wait for another writer.
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _first_line(error: Exception) -> str:
    cause = error.orig if isinstance(error, DBAPIError) else error
    return printable((str(cause).strip() or type(cause).__name__).splitlines()[0].rstrip("."))
