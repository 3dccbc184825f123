"""Bring a database to the current schema, once, however many processes open it."""

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, Engine, Integer, column, func, inspect, select, table

from grader.errors import UserError
from grader.logs import Event, log
from grader.store import migrations
from grader.store.connect import WRITES, label
from grader.store.schema import VERSION_TABLE

SCHEMA = "3"
"""The newest migration; ``grader/store/migrations/versions`` has one module for each."""

BEFORE_UPGRADE = ".before-upgrade"
"""What follows the name of an SQLite file in that of its copy."""

_OLD_VERSION_TABLE = "grader_schema"
"""Where stores without migrations keep their version, which is 1."""

_LOCK = 0x67_72_61_64_65_72
"""Number of the PostgreSQL lock that an upgrade holds."""


def ensure_schema(engine: Engine) -> None:
    """Create or upgrade the tables of ``engine``'s database in one transaction.

    An SQLite file of an older schema is copied beside itself first.
    Raises: ``UserError`` if the schema is newer or the database belongs to another program.
    """
    with engine.connect() as connection:
        version = version_of(connection)
    if version != SCHEMA:
        with engine.execution_options(**{WRITES: True}).begin() as connection:
            _upgrade(connection)


def is_known(schema: str) -> bool:
    """Whether this grader reads or upgrades a store of ``schema``."""
    return schema.isdecimal() and 0 < int(schema) <= int(SCHEMA)


def version_of(connection: Connection) -> str | None:
    """The schema of the store, or ``None`` if the database holds none."""
    tables = inspect(connection).get_table_names()
    if VERSION_TABLE in tables:
        return connection.execute(select(column("version_num")).select_from(table(VERSION_TABLE))).scalar()
    if _OLD_VERSION_TABLE in tables:
        newest = func.max(column("version", Integer))
        return str(connection.execute(select(newest).select_from(table(_OLD_VERSION_TABLE))).scalar() or 0)
    return None


def lock(connection: Connection) -> None:
    """Wait until no other process changes the schema; SQLite's transactions that write do so by themselves."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))


def refuse_another_program(connection: Connection) -> None:
    """Raises: ``UserError`` if a file without a store has tables; a server's database may be shared."""
    if connection.dialect.name == "sqlite" and inspect(connection).get_table_names():
        msg = f"{label(connection.engine.url)} is the database of another program."
        raise UserError(msg, hint="Name another file with [store] url.")


def migrate(connection: Connection, schema: str) -> None:
    """Run the migrations up to ``schema`` in the transaction of ``connection``."""
    from alembic import command  # noqa: PLC0415 - slow to load, and most runs find a current schema
    from alembic.config import Config  # noqa: PLC0415 - the same

    config = Config()
    folder = str(Path(migrations.__file__).parent)
    config.set_main_option("script_location", folder.replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, schema)


def _upgrade(connection: Connection) -> None:
    lock(connection)
    version = version_of(connection)
    if version == SCHEMA:
        return  # Another process was faster.
    url = connection.engine.url
    if version is None:
        refuse_another_program(connection)
    elif not is_known(version):
        msg = f"The store {label(url)} has schema {version}; this grader reads schema {SCHEMA}."
        raise UserError(
            msg, hint="Use the version of grader that made it, or name another file with [store] url."
        )
    elif connection.dialect.name == "sqlite":
        _copy(Path(str(url.database)))
    migrate(connection, SCHEMA)
    if version is not None:
        log(Event.STORE_UPGRADED, store=label(url), schema=SCHEMA)


def _copy(file: Path) -> None:
    """Copy the store beside itself; no other process writes to it now. Raises: ``sqlite3.Error``."""
    copy = file.with_name(file.name + BEFORE_UPGRADE)
    unfinished = copy.with_name(copy.name + ".unfinished")
    unfinished.unlink(missing_ok=True)
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(unfinished)) as target:
        source.backup(target)
    unfinished.replace(copy)
