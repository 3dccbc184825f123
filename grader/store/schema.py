"""The tables of the store."""

from sqlalchemy import BigInteger, Column, Float, Index, Integer, LargeBinary, MetaData, String, Table

SCHEMA_VERSION = 1
"""Schema version; it increases when another version of the grader would misread the tables."""

METADATA = MetaData()

VERSION = Table(
    "grader_schema",
    METADATA,
    Column("version", Integer, primary_key=True, autoincrement=False),
)
"""One row: the schema version of these tables."""

RECORDS = Table(
    "graded_records",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("key", String(64), nullable=False, unique=True),
    Column("student", String, nullable=False),
    Column("lab", String, nullable=False),
    Column("engine", String, nullable=False),
    Column("report_version", Integer, nullable=False),
    Column("seed", String, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("run_key", LargeBinary, nullable=False),
    Column("report", LargeBinary, nullable=False),
    Index("graded_records_by_student", "lab", "student", "created_at"),
)
"""One row for each finished report.

``run_key`` and ``report`` are JSON, ``key`` is the run key's digest, ``report_version`` the results document's
version. ``seed`` is decimal text, because it has more bits than a database's integers. ``created_at`` is in
microseconds since 1970 in UTC, which every database stores exactly.
"""

REVIEWS = Table(
    "reviews",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("hand_in", String(64), nullable=False),
    Column("student", String, nullable=False),
    Column("lab", String, nullable=False),
    Column("review", LargeBinary, nullable=False),
    Index("reviews_by_hand_in", "hand_in", "id"),
)
"""One row for each staff decision, in chronological order; rows never change.

``hand_in`` is the digest of the submission key, ``review`` is JSON. If an older store lacks this table, opening
the store creates it; older graders ignore it.
"""
