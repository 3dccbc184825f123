"""Schema 1: graded records and reviews. Stores of the first releases have these tables without Alembic's."""

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None


def upgrade() -> None:
    """Create what is missing: the first releases had no reviews."""
    op.create_table(
        "grader_schema",
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        if_not_exists=True,
    )
    op.create_table(
        "graded_records",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("key", sa.String(64), nullable=False, unique=True),
        sa.Column("student", sa.String, nullable=False),
        sa.Column("lab", sa.String, nullable=False),
        sa.Column("engine", sa.String, nullable=False),
        sa.Column("report_version", sa.Integer, nullable=False),
        sa.Column("seed", sa.String, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("run_key", sa.LargeBinary, nullable=False),
        sa.Column("report", sa.LargeBinary, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "reviews",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("hand_in", sa.String(64), nullable=False),
        sa.Column("student", sa.String, nullable=False),
        sa.Column("lab", sa.String, nullable=False),
        sa.Column("review", sa.LargeBinary, nullable=False),
        if_not_exists=True,
    )
