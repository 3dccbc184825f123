"""Which rows of the store are about one person: found by the columns of the tables, so that no table is forgotten."""

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, select

from grader.store.account_tables import ACCOUNTS
from grader.store.course_tables import PEOPLE
from grader.store.filters import is_of
from grader.store.lti_tables import CONTEXTS, DEPLOYMENTS, LAB_LINKS, LOGINS, PLATFORMS, TOOL_KEYS
from grader.store.regrade_tables import REGRADES
from grader.store.schema import TABLES
from grader.store.tables import BLOBS, CLAIMS, FACTS, LAB_VERSIONS, SUBMISSION_FILES, SUBMISSIONS

STUDENT = "student"
"""The column that names the person in a table about students."""

OF_NOBODY = frozenset(
    {BLOBS.name, CLAIMS.name, FACTS.name, LAB_VERSIONS.name, REGRADES.name, "workers"}
    | {table.name for table in (PLATFORMS, TOOL_KEYS, DEPLOYMENTS, CONTEXTS, LAB_LINKS, LOGINS)}
)
"""Tables without rows about a person. Files and facts belong to contents, which several people may have submitted."""


def owned(student: str, lab: str | None = None) -> Iterator[tuple[Table, ColumnElement[bool]]]:
    """Each table that names students, and the condition for the rows of ``student``; those that refer to others first.

    What refers to these rows goes with them. Roster and accounts are about no lab.
    """
    for table in reversed(TABLES.sorted_tables):
        if STUDENT in table.c:
            yield table, is_of(table, lab, student)
        elif table is PEOPLE and lab is None:
            yield table, PEOPLE.c.id == student
        elif table is ACCOUNTS and lab is None:
            yield table, ACCOUNTS.c.person == student


def about(student: str) -> Mapping[str, ColumnElement[bool]]:
    """The condition for the rows about ``student`` in each table that may have some, also through other tables."""
    found = {table.name: condition for table, condition in owned(student)}
    for table in TABLES.sorted_tables:
        for key in table.foreign_keys:
            parent = key.column.table
            if table.name not in found and parent.name in found and table.name not in OF_NOBODY:
                rows = select(key.column).where(found[parent.name])
                found[table.name] = key.parent.in_(rows)
    return found


def facts_about(student: str) -> ColumnElement[bool]:
    """The condition for facts about what ``student`` submitted."""
    theirs = select(SUBMISSIONS.c.digest).where(SUBMISSIONS.c.student == student)
    return FACTS.c.submission.in_(theirs)


def read_rows(connection: Connection, student: str) -> dict[str, list[dict[str, Any]]]:
    """Every row about ``student`` by table, and the facts about their work."""
    conditions = {**about(student), FACTS.name: facts_about(student)}
    found = {}
    for table in TABLES.sorted_tables:
        if table.name in conditions:
            statement = select(table).where(conditions[table.name]).order_by(*table.primary_key.columns)
            found[table.name] = [dict(row) for row in connection.execute(statement).mappings()]
    return found


def read_files(connection: Connection, student: str) -> list[tuple[str, str, str, bytes]]:
    """Lab, digest, name and compressed content of each file that ``student`` submitted."""
    joined = SUBMISSION_FILES.join(SUBMISSIONS).join(BLOBS)
    columns = (SUBMISSIONS.c.lab, SUBMISSIONS.c.digest, SUBMISSION_FILES.c.name, BLOBS.c.data)
    statement = select(*columns).select_from(joined).where(SUBMISSIONS.c.student == student)
    ordered = statement.order_by(SUBMISSIONS.c.id, SUBMISSION_FILES.c.position)
    return [(row.lab, row.digest, row.name, row.data) for row in connection.execute(ordered)]
