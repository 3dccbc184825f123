"""The tables of submissions and results. Rows stay inside this room; others see ``grader.store.values``."""

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from grader.model.report import SpeedupKind
from grader.model.run import EngineKind
from grader.model.submission import Language
from grader.model.verdict import Verdict
from grader.store.column_types import FileName, Instant, WideInteger, Word
from grader.store.metadata import DIGEST, TABLES
from grader.store.rulings import RulingKind
from grader.store.values import EventKind

BLOBS = Table(
    "blobs",
    TABLES,
    Column("digest", DIGEST, primary_key=True),
    Column("size", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
)
"""One row for each distinct file content: its SHA-256, its size in bytes, and the content compressed."""

SUBMISSIONS = Table(
    "submissions",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("student", String, nullable=False),
    Column("lab", String, nullable=False),
    Column("digest", DIGEST, nullable=False),
    Column("language", Word(Language), nullable=False),
    Column("path", String, nullable=False),
    Column("submitted_at", Instant, nullable=False),
    UniqueConstraint("student", "lab", "digest", name="submissions_once"),
    Index("submissions_by_digest", "digest"),
)
"""One row for each distinct work of a student for a lab."""

SUBMISSION_FILES = Table(
    "submission_files",
    TABLES,
    Column("submission_id", ForeignKey("submissions.id", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("name", FileName, nullable=False),
    Column("blob", ForeignKey("blobs.digest"), nullable=False),
    Index("submission_files_by_blob", "blob"),
)
"""The files of a submission in their order. A submission of an older release has none."""

LAB_VERSIONS = Table(
    "lab_versions",
    TABLES,
    Column("digest", DIGEST, primary_key=True),
    Column("parts", LargeBinary, nullable=False),
)
"""One row for each version of a lab's code or rubric that was used: the digests of its parts, as JSON."""

FACTS = Table(
    "facts",
    TABLES,
    Column("key", DIGEST, primary_key=True),
    Column("submission", DIGEST, nullable=False),
    Column("lab", String, nullable=False),
    Column("lab_code", String, nullable=False),
    Column("engine", Word(EngineKind), nullable=False),
    Column("device", String, nullable=False),
    Column("toolchain", String, nullable=False),
    Column("trusted", Boolean, nullable=False),
    Column("version", Integer, nullable=False),
    Column("seed", WideInteger, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("data", LargeBinary, nullable=False),
    Index("facts_by_submission", "submission", "lab"),
)
"""One row for each key of facts; ``data`` is the document, compressed."""

SCORES = Table(
    "scores",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("submission_id", ForeignKey("submissions.id", ondelete="CASCADE"), nullable=False),
    Column("student", String, nullable=False),
    Column("lab", String, nullable=False),
    Column("facts", ForeignKey("facts.key"), nullable=True),
    Column("lab_code", String, nullable=False),
    Column("lab_version", String, nullable=False),
    Column("rubric", String, nullable=False),
    Column("engine", Word(EngineKind), nullable=False),
    Column("device", String, nullable=False),
    Column("verdict", Word(Verdict), nullable=False),
    Column("reason", Text, nullable=False),
    Column("score", Float, nullable=False),
    Column("max_score", Float, nullable=False),
    Column("flag_kernel", String, nullable=True),
    Column("flag_reason", Text, nullable=True),
    Column("best_kernel", String, nullable=True),
    Column("speedup", Float, nullable=True),
    Column("speedup_low", Float, nullable=True),
    Column("speedup_high", Float, nullable=True),
    Column("speedup_kind", Word(SpeedupKind), nullable=True),
    Column("speedup_baseline", String, nullable=True),
    Column("timed_engine", Word(EngineKind), nullable=True),
    Column("timed_device", String, nullable=True),
    Column("created_at", Instant, nullable=False),
    # Finds the newest score of every submission to a version of a lab on a device, without reading a row.
    Index("scores_by_submission", "submission_id", "lab_code", "engine", "device", "id"),
    Index("scores_by_student", "lab", "student", "id"),
    Index("scores_by_facts", "facts"),
)
"""One row for each finished report; a larger ``id`` is newer.

``student`` and ``lab`` repeat those of the submission for the indexes. The columns suffice for boards, reviews and
tables, so that none of these decodes a report.
"""

REPORTS = Table(
    "reports",
    TABLES,
    Column("score_id", ForeignKey("scores.id", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
)
"""The report of each score as compressed JSON; apart from the scores, so that queries pass over fewer pages."""

DECISIONS = Table(
    "decisions",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("student", String, nullable=False),
    Column("lab", String, nullable=False),
    Column("submission", DIGEST, nullable=True),
    Column("decided_at", Instant, nullable=False),
    Column("who", String, nullable=False),
    Column("why", Text, nullable=False),
    Column("kind", Word(RulingKind), nullable=False),
    Column("ruling", LargeBinary, nullable=False),
    Index("decisions_by_student", "lab", "student", "id"),
)
"""One row for each decision of staff, in the order they were made; rows never change.

``ruling`` is JSON of the type that ``kind`` names."""

EVENTS = Table(
    "events",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("kind", Word(EventKind), nullable=False),
    Column("at", Instant, nullable=False),
    Column("student", String, nullable=False),
    Column("lab", String, nullable=False),
    Column("submission", DIGEST, nullable=False),
    Column("who", String, nullable=False),
    Column("detail", Text, nullable=False),
    Index("events_by_student", "student", "lab", "id"),
)
"""The audit trail; rows never change."""

CLAIMS = Table(
    "claims",
    TABLES,
    Column("key", String, primary_key=True),
    Column("owner", String, nullable=False),
    Column("lease_until", Instant, nullable=False),
)
"""Who works on what, and until when others must not."""

OLD_RECORDS = Table(
    "old_records",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("score_id", ForeignKey("scores.id", ondelete="SET NULL"), nullable=True),
    Column("key", DIGEST, nullable=False),
    Column("student", String, nullable=False),
    Column("lab", String, nullable=False),
    Column("report_version", Integer, nullable=False),
    Column("seed", WideInteger, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("run_key", LargeBinary, nullable=False),
    Column("report", LargeBinary, nullable=True),
    Index("old_records_by_score", "score_id"),
)
"""What schema 1 knew about a record and ``scores`` does not; nothing is added.

A record that could not be read has its ``report`` here and no score.
"""

OLD_REVIEWS = Table(
    "old_reviews",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("hand_in", DIGEST, nullable=False),
    Column("student", String, nullable=False),
    Column("lab", String, nullable=False),
    Column("review", LargeBinary, nullable=False),
)
"""Reviews of schema 1 about records that are gone, or that could not be read; nothing is added."""
