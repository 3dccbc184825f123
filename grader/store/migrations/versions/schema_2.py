"""Schema 2: submissions, facts, scores, decisions, events and claims; takes over every record and review."""

import sqlalchemy as sa
from alembic import op

from grader.store.migrations.from_schema_1 import copy_records, copy_reviews

revision = "2"
down_revision = "1"


def upgrade() -> None:
    """Create the tables, copy what is stored, and drop the tables of schema 1."""
    _create_content()
    _create_scores()
    _create_staff_tables()
    _create_old_tables()
    connection = op.get_bind()
    keys = copy_records(connection)
    copy_reviews(connection, keys)
    op.drop_table("graded_records")
    op.drop_table("reviews")
    # Graders of the first releases read the version here, and refuse this one.
    op.execute("DELETE FROM grader_schema")
    op.execute("INSERT INTO grader_schema (version) VALUES (2)")


def _create_content() -> None:
    op.create_table(
        "blobs",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "submissions",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("student", sa.String, nullable=False),
        sa.Column("lab", sa.String, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("language", sa.String, nullable=False),
        sa.Column("path", sa.String, nullable=False),
        sa.Column("submitted_at", sa.BigInteger, nullable=False),
        sa.UniqueConstraint("student", "lab", "digest", name="submissions_once"),
    )
    op.create_index("submissions_by_digest", "submissions", ["digest"])
    op.create_table(
        "submission_files",
        sa.Column(
            "submission_id", sa.Integer, sa.ForeignKey("submissions.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("name", sa.LargeBinary, nullable=False),
        sa.Column("blob", sa.String(64), sa.ForeignKey("blobs.digest"), nullable=False),
    )
    op.create_index("submission_files_by_blob", "submission_files", ["blob"])
    op.create_table(
        "lab_versions",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("parts", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "facts",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("submission", sa.String(64), nullable=False),
        sa.Column("lab", sa.String, nullable=False),
        sa.Column("lab_code", sa.String, nullable=False),
        sa.Column("engine", sa.String, nullable=False),
        sa.Column("device", sa.String, nullable=False),
        sa.Column("toolchain", sa.String, nullable=False),
        sa.Column("trusted", sa.Boolean, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("seed", sa.String, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.create_index("facts_by_submission", "facts", ["submission", "lab"])


def _create_scores() -> None:
    op.create_table(
        "scores",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column(
            "submission_id", sa.Integer, sa.ForeignKey("submissions.id", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("student", sa.String, nullable=False),
        sa.Column("lab", sa.String, nullable=False),
        sa.Column("facts", sa.String(64), sa.ForeignKey("facts.key"), nullable=True),
        sa.Column("lab_code", sa.String, nullable=False),
        sa.Column("lab_version", sa.String, nullable=False),
        sa.Column("rubric", sa.String, nullable=False),
        sa.Column("engine", sa.String, nullable=False),
        sa.Column("device", sa.String, nullable=False),
        sa.Column("verdict", sa.String, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("score", sa.Float, nullable=False),
        sa.Column("max_score", sa.Float, nullable=False),
        sa.Column("flag_kernel", sa.String, nullable=True),
        sa.Column("flag_reason", sa.Text, nullable=True),
        sa.Column("best_kernel", sa.String, nullable=True),
        sa.Column("speedup", sa.Float, nullable=True),
        sa.Column("speedup_low", sa.Float, nullable=True),
        sa.Column("speedup_high", sa.Float, nullable=True),
        sa.Column("speedup_kind", sa.String, nullable=True),
        sa.Column("speedup_baseline", sa.String, nullable=True),
        sa.Column("created_at", sa.BigInteger, nullable=False),
    )
    op.create_index("scores_by_submission", "scores", ["submission_id", "lab_code", "engine", "device", "id"])
    op.create_index("scores_by_student", "scores", ["lab", "student", "id"])
    op.create_index("scores_by_facts", "scores", ["facts"])
    op.create_table(
        "reports",
        sa.Column("score_id", sa.Integer, sa.ForeignKey("scores.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )


def _create_staff_tables() -> None:
    op.create_table(
        "decisions",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("student", sa.String, nullable=False),
        sa.Column("lab", sa.String, nullable=False),
        sa.Column("submission", sa.String(64), nullable=True),
        sa.Column("decided_at", sa.BigInteger, nullable=False),
        sa.Column("who", sa.String, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("ruling", sa.LargeBinary, nullable=False),
    )
    op.create_index("decisions_by_student", "decisions", ["lab", "student", "id"])
    op.create_table(
        "events",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("student", sa.String, nullable=False),
        sa.Column("lab", sa.String, nullable=False),
        sa.Column("submission", sa.String(64), nullable=False),
        sa.Column("who", sa.String, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
    )
    op.create_index("events_by_student", "events", ["student", "lab", "id"])
    op.create_table(
        "claims",
        sa.Column("key", sa.String, primary_key=True),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("lease_until", sa.BigInteger, nullable=False),
    )


def _create_old_tables() -> None:
    op.create_table(
        "old_records",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("score_id", sa.Integer, sa.ForeignKey("scores.id", ondelete="SET NULL"), nullable=True),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("student", sa.String, nullable=False),
        sa.Column("lab", sa.String, nullable=False),
        sa.Column("report_version", sa.Integer, nullable=False),
        sa.Column("seed", sa.String, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("run_key", sa.LargeBinary, nullable=False),
        sa.Column("report", sa.LargeBinary, nullable=True),
    )
    op.create_index("old_records_by_score", "old_records", ["score_id"])
    op.create_table(
        "old_reviews",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("hand_in", sa.String(64), nullable=False),
        sa.Column("student", sa.String, nullable=False),
        sa.Column("lab", sa.String, nullable=False),
        sa.Column("review", sa.LargeBinary, nullable=False),
    )
