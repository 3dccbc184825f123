"""Schema 3: what a course needs around the results."""

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"


def upgrade() -> None:
    """Create the tables."""
    _create_attempts()
    _create_people()


def _create_attempts() -> None:
    op.create_table(
        "attempts",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("student", sa.String, nullable=False),
        sa.Column("lab", sa.String, nullable=False),
        sa.Column("source", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=True),
        sa.Column("submission", sa.String(64), nullable=True),
        sa.Column("submitted_at", sa.BigInteger, nullable=False),
        sa.Column("received_at", sa.BigInteger, nullable=False),
        sa.Column("group", sa.String, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("refusal", sa.Text, nullable=True),
        sa.UniqueConstraint("student", "lab", "source", name="attempts_once"),
    )
    op.create_index("attempts_by_lab", "attempts", ["lab", "student"])


def _create_people() -> None:
    op.create_table(
        "people",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("email", sa.String, nullable=False),
        sa.Column("section", sa.String, nullable=False),
        sa.Column("language", sa.String, nullable=False),
    )
    op.create_table(
        "person_ids",
        sa.Column("system", sa.String, primary_key=True),
        sa.Column("value", sa.String, primary_key=True),
        sa.Column("person", sa.String, sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    )
    op.create_index("person_ids_by_person", "person_ids", ["person"])
    op.create_table(
        "memberships",
        sa.Column("person", sa.String, sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("kind", sa.String, primary_key=True),
        sa.Column("name", sa.String, primary_key=True),
    )
