"""The conformance suite of what the store knows about one person, over every table that there is."""

from typing import Any

import pytest
from sqlalchemy import (
    Boolean,
    Connection,
    Float,
    Integer,
    LargeBinary,
    Table,
    insert,
    select,
)

from grader.store.column_types import FileName, Instant, Rank, WideInteger, Word
from grader.store.documents import compress
from grader.store.personal import OF_NOBODY, STUDENT, about
from grader.store.ports import Store
from grader.store.rulings import Erasure
from grader.store.schema import TABLES
from grader.store.tables import FACTS
from tests.store.examples import NOON, decision
from tests.store.opened import database, opened

ADA, BOB = "ada-51f7", "bob-7c2e"
_LAB = "row-sum"
_VALUES: dict[type, Any] = {
    Instant: NOON,
    WideInteger: 2**127,
    FileName: lambda student: f"{student}.cu",
    Boolean: False,
    Float: 0.5,
    Integer: 1,
    LargeBinary: lambda student: compress(f'"{student}"'.encode()),
}
_DIGESTS = {("submissions", "digest"), ("facts", "submission"), ("regrade_rows", "submission")}


def fill(url: str, student: str) -> None:
    """A row about ``student`` in every table, and in those that the rows refer to."""
    with opened(url), database(url) as engine, engine.begin() as connection:
        parents: dict[tuple[str, str], Any] = {}
        for table in TABLES.sorted_tables:
            row = {
                column.name: _value(table, column, student, parents)
                for column in table.columns
                if not _counts_itself(table, column)
            }
            made = connection.execute(insert(table).values(row))
            key = table.primary_key.columns.values()
            parents |= {
                (table.name, column.name): value
                for column, value in zip(key, made.inserted_primary_key or (), strict=True)
            }


def content(url: str) -> dict[str, list[str]]:
    """Every row of every table as text."""
    with database(url) as engine, engine.connect() as connection:
        return {table.name: _rows(connection, table) for table in TABLES.sorted_tables}


def _rows(connection: Connection, table: Table) -> list[str]:
    return [
        repr(tuple(row)) for row in connection.execute(select(table).order_by(*table.primary_key.columns))
    ]


def _counts_itself(table: Table, column: Any) -> bool:
    return column is table.autoincrement_column


def _value(table: Table, column: Any, student: str, parents: dict[tuple[str, str], Any]) -> Any:
    for key in column.foreign_keys:
        return parents[key.column.table.name, key.column.name]
    known = {
        ("people", "id"): student,
        ("accounts", "person"): student,
        (table.name, STUDENT): student,
        (table.name, "lab"): _LAB,
    }
    known |= dict.fromkeys(_DIGESTS, f"work of {student}")
    if (table.name, column.name) in known:
        return known[table.name, column.name]
    if isinstance(column.type, Word | Rank):
        return next(iter(column.type.kind.__members__.values()))
    for kind, value in _VALUES.items():
        if isinstance(column.type, kind):
            return value(student) if callable(value) else value
    return f"{column.name} of {student}"


class PersonContract:
    """What every store does with the data of one person. ``url`` is that of an empty store."""

    def test_every_table_is_about_persons_or_about_nobody(self) -> None:
        assert about(ADA).keys() | OF_NOBODY == TABLES.tables.keys()
        assert not about(ADA).keys() & OF_NOBODY

    def test_an_erased_person_is_in_no_table(self, url: str) -> None:
        fill(url, ADA)
        assert [name for name, rows in content(url).items() if not rows] == []
        with opened(url) as store:
            store.forget(ADA)
        after = content(url)
        assert [name for name in about(ADA) if name != "events" and after[name]] == []
        left = {name for name, rows in after.items() if ADA in str(rows)}
        assert left <= OF_NOBODY - {"blobs", "facts", "claims"}

    def test_an_erased_person_takes_nothing_of_others(self, url: str) -> None:
        fill(url, BOB)
        before = content(url)
        fill(url, ADA)
        with opened(url) as store:
            store.forget(ADA)
        after = content(url)
        for name in about(BOB):
            assert [row for row in after[name] if row in before[name]] == before[name]

    def test_the_data_of_a_person_has_every_table_and_nobody_else(self, url: str) -> None:
        fill(url, ADA)
        fill(url, BOB)
        with opened(url) as store:
            found = store.person_data(ADA)
        assert found.rows.keys() == {*about(ADA), FACTS.name}
        assert {name: len(rows) for name, rows in found.rows.items()} == dict.fromkeys(found.rows, 1)
        assert BOB not in str(found)
        assert found.rows["reports"][0]["data"] == ADA
        assert [(each.lab, each.file.name) for each in found.files] == [(_LAB, f"{ADA}.cu")]

    def test_an_unknown_person_has_no_data(self, store: Store) -> None:
        assert store.person_data("nobody").rows == {}

    @pytest.mark.parametrize("is_known", [True, False])
    def test_an_erasure_is_recorded_if_something_was_there(self, url: str, is_known: bool) -> None:  # noqa: FBT001 - a parameter of the test
        if is_known:
            fill(url, ADA)
        record = decision(Erasure(), student="", lab="")
        with opened(url) as store:
            store.forget(ADA, record=record)
            assert store.decisions.list() == ((record,) if is_known else ())
