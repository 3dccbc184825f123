"""The tables of the queue."""

from sqlalchemy import (
    BigInteger,
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
)

from grader.store.column_types import Instant, Rank, WideInteger, Word
from grader.store.job_values import JobEventKind, JobState, Lane
from grader.store.metadata import TABLES

JOBS = Table(
    "jobs",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("submission_id", ForeignKey("submissions.id", ondelete="CASCADE"), nullable=False),
    Column("student", String, nullable=False),
    Column("lab", String, nullable=False),
    Column("lane", Rank(Lane), nullable=False),
    Column("turn", BigInteger, nullable=False),
    Column("needs", String, nullable=False),
    Column("trusted", Boolean, nullable=False),
    Column("seed", WideInteger, nullable=False),
    Column("state", Word(JobState), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("not_before", Instant, nullable=False),
    Column("submitted_at", Instant, nullable=False),
    Column("dispatcher", String, nullable=True),
    Column("claimed_at", Instant, nullable=True),
    Column("finished_at", Instant, nullable=True),
    Column("seconds", Float, nullable=True),
    Column("device", String, nullable=True),
    Column("why", Text, nullable=False),
    # The next job, and how many stand before one.
    Index("jobs_queue", "state", "lane", "turn", "id"),
    Index("jobs_by_student", "student", "lab", "state"),
    Index("jobs_by_submission", "submission_id"),
    Index("jobs_by_needs", "state", "needs"),
    Index("jobs_by_end", "state", "finished_at"),
)
"""One row for each job. ``student`` and ``lab`` repeat those of the submission; ``needs`` is JSON."""

JOB_EVENTS = Table(
    "job_events",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("job", ForeignKey("jobs.id", ondelete="CASCADE"), nullable=False),
    Column("at", Instant, nullable=False),
    Column("kind", Word(JobEventKind), nullable=False),
    Column("detail", Text, nullable=False),
    Index("job_events_by_job", "job", "id"),
)
"""One row for each transition of a job; rows never change."""

WORKERS = Table(
    "workers",
    TABLES,
    Column("name", String, primary_key=True),
    Column("host", String, nullable=False),
    Column("device", LargeBinary, nullable=False),
    Column("since", Instant, nullable=False),
    Column("job", Integer, nullable=True),
    Column("set_aside", Text, nullable=False),
)
"""One row for each worker that the dispatcher knows; ``device`` is JSON."""
