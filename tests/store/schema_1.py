"""Stores of the release before schema 2, on each kind of database."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Engine, MetaData, make_url

from tests.store.make_schema_1 import FILE
from tests.store.opened import database


@dataclass(frozen=True, slots=True)
class OldRows:
    """The rows of schema 1 as the fixture has them."""

    records: tuple[dict[str, Any], ...]
    reviews: tuple[dict[str, Any], ...]


def old_rows() -> OldRows:
    """What the fixture holds."""
    with closing(sqlite3.connect(f"file:{FILE}?mode=ro&immutable=1", uri=True)) as source:
        source.row_factory = sqlite3.Row
        return OldRows(
            records=tuple(map(dict, source.execute("SELECT * FROM graded_records"))),
            reviews=tuple(map(dict, source.execute("SELECT * FROM reviews"))),
        )


def install(url: str) -> OldRows:
    """Make the empty database at ``url`` a copy of the fixture. Returns: what it holds."""
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        file = Path(str(parsed.database))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(FILE.read_bytes())
    else:
        with TemporaryDirectory() as folder, database(url) as engine:
            copy = shutil.copy(FILE, folder)
            _copy_tables(f"sqlite:///{copy}", engine)
    return old_rows()


def _copy_tables(source_url: str, target: Engine) -> None:
    with database(source_url) as source, source.connect() as reader:
        tables = MetaData()
        tables.reflect(reader)
        copies = [
            (each, [dict(row) for row in reader.execute(each.select()).mappings()])
            for each in tables.sorted_tables
        ]
    for copied, _ in copies:
        for column in copied.columns:
            column.type = column.type.as_generic()
    tables.create_all(target)
    with target.begin() as connection:
        for table, rows in copies:
            connection.execute(table.insert(), rows)
