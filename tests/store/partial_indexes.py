"""The indexes that migrations make of a part of a table.

Stating one loads the dialects of all databases, which no query needs.
"""

from sqlalchemy import Index

from grader.store.regrade_tables import OPEN, REGRADE_ROWS

REGRADE_ROWS_OPEN = Index(
    "regrade_rows_open",
    REGRADE_ROWS.c.student,
    REGRADE_ROWS.c.lab,
    unique=True,
    sqlite_where=REGRADE_ROWS.c.state.in_(OPEN),
    postgresql_where=REGRADE_ROWS.c.state.in_(OPEN),
)
