"""The tables of regrade sets."""

from enum import StrEnum

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, LargeBinary, String, Table, Text

from grader.store.column_types import Instant, Word
from grader.store.metadata import DIGEST, TABLES


class RowState(StrEnum):
    """The state of a row of a regrade set.

    ``waiting``: not graded again yet. ``proposed``: its new score is stored beside the one that counts. ``unchanged``:
    a new run would do what the last one did. ``superseded``: the student has a newer score, which counts.
    """

    WAITING = "waiting"
    PROPOSED = "proposed"
    UNCHANGED = "unchanged"
    APPLIED = "applied"
    DISCARDED = "discarded"
    SUPERSEDED = "superseded"


OPEN = (RowState.WAITING, RowState.PROPOSED)
"""The states of rows that are not closed."""

REGRADES = Table(
    "regrades",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("created_at", Instant, nullable=False),
    Column("who", String, nullable=False),
    Column("why", Text, nullable=False),
    Column("fresh", Boolean, nullable=False),
)
"""One row for each regrade set; ``fresh``: kernels run again even where stored facts would do."""

REGRADE_ROWS = Table(
    "regrade_rows",
    TABLES,
    Column("regrade", ForeignKey("regrades.id", ondelete="CASCADE"), primary_key=True),
    Column("student", String, primary_key=True),
    Column("lab", String, primary_key=True),
    Column("submission", DIGEST, nullable=False),
    Column("before", Integer, nullable=False),
    Column("state", Word(RowState), nullable=False),
    Column("score", LargeBinary, nullable=True),
    Column("facts", LargeBinary, nullable=True),
    Index("regrade_rows_by_student", "student", "lab"),
)
"""One row for each student and lab of a regrade set.

``before`` is the id of the score that counted when the set was made. ``score`` and ``facts`` are what a run proposes,
as compressed JSON: no query about scores sees them before they are applied."""
