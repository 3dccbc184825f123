"""The tables of course systems that speak LTI."""

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, String, Table, Text, UniqueConstraint

from grader.store.column_types import Instant, Word
from grader.store.lti_values import PushEventKind, PushState
from grader.store.metadata import DIGEST, TABLES

PLATFORMS = Table(
    "lti_platforms",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("issuer", String, nullable=False),
    Column("client_id", String, nullable=False),
    Column("login_url", String, nullable=False),
    Column("token_url", String, nullable=False),
    Column("keys_url", String, nullable=False),
    Column("audience", String, nullable=False),
    UniqueConstraint("issuer", "client_id", name="lti_platforms_once"),
)
"""One row for each registration; one issuer may have many, as a hosted Canvas has."""

TOOL_KEYS = Table(
    "lti_tool_keys",
    TABLES,
    Column("kid", String, primary_key=True),
    Column("platform", ForeignKey("lti_platforms.id", ondelete="CASCADE"), nullable=False),
    Column("private_key", Text, nullable=False),
    Column("since", Instant, nullable=False),
)
"""Our key pairs. They outlive a restart, since platforms remember the public halves for hours."""

DEPLOYMENTS = Table(
    "lti_deployments",
    TABLES,
    Column("platform", ForeignKey("lti_platforms.id", ondelete="CASCADE"), primary_key=True),
    Column("deployment", String, primary_key=True),
)
"""The placements of each platform from which launches are accepted."""

CONTEXTS = Table(
    "lti_contexts",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("platform", ForeignKey("lti_platforms.id", ondelete="CASCADE"), nullable=False),
    Column("deployment", String, nullable=False),
    Column("context", String, nullable=False),
    Column("title", String, nullable=False),
    Column("members_url", String, nullable=False),
    Column("line_items_url", String, nullable=False),
    UniqueConstraint("platform", "context", name="lti_contexts_once"),
)
"""The courses of platforms that are connected with the course here."""

LAB_LINKS = Table(
    "lti_lab_links",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("context", ForeignKey("lti_contexts.id", ondelete="CASCADE"), nullable=False),
    Column("lab", String, nullable=False),
    Column("line_item", String, nullable=False),
    UniqueConstraint("context", "lab", name="lti_lab_links_once"),
)
"""The labs of each connected course, and their columns there."""

LOGINS = Table(
    "lti_logins",
    TABLES,
    Column("state", DIGEST, primary_key=True),
    Column("platform", ForeignKey("lti_platforms.id", ondelete="CASCADE"), nullable=False),
    Column("nonce", String, nullable=False),
    Column("expires_at", Instant, nullable=False),
    Index("lti_logins_by_end", "expires_at"),
)
"""Logins that were begun; the answer removes its row, so that it counts once. ``state`` is a digest."""

PUSHES = Table(
    "lti_pushes",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("link", ForeignKey("lti_lab_links.id", ondelete="CASCADE"), nullable=False),
    Column("student", String, nullable=False),
    Column("lab", String, nullable=False),
    Column("wanted", Float, nullable=True),
    Column("wanted_most", Float, nullable=True),
    Column("sent", Float, nullable=True),
    Column("sent_most", Float, nullable=True),
    Column("state", Word(PushState), nullable=False),
    Column("tries", Integer, nullable=False),
    Column("not_before", Instant, nullable=False),
    Column("stamp", Instant, nullable=True),
    Column("why", Text, nullable=False),
    UniqueConstraint("link", "student", name="lti_pushes_once"),
    Index("lti_pushes_due", "state", "not_before"),
    Index("lti_pushes_by_student", "student", "lab"),
)
"""One row for each student and column: the newest grade, and the one that the platform has."""

PUSH_EVENTS = Table(
    "lti_push_events",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("push", ForeignKey("lti_pushes.id", ondelete="CASCADE"), nullable=False),
    Column("at", Instant, nullable=False),
    Column("kind", Word(PushEventKind), nullable=False),
    Column("points", Float, nullable=True),
    Column("detail", Text, nullable=False),
    Index("lti_push_events_by_push", "push", "id"),
)
"""The log of grades on their way; rows never change."""
