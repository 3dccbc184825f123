"""The tables of accounts: who may sign in, how, and what is signed in.

Secrets are kept as their SHA-256, so that a copy of the store opens nothing. An account does not refer to ``people``:
staff are not in the roster, and a new roster ends no session.
"""

from sqlalchemy import Column, ForeignKey, Index, Integer, String, Table, Text

from grader.model.signing_in import SignedInBy
from grader.store.column_types import Instant, Word
from grader.store.metadata import DIGEST, TABLES

ACCOUNTS = Table(
    "accounts",
    TABLES,
    Column("person", String, primary_key=True),
    Column("role", String, nullable=False),
    Column("name", String, nullable=False),
    Column("email", String, nullable=False),
    Column("language", String, nullable=False),
    Column("password", String, nullable=True),
    Column("created_at", Instant, nullable=False),
    Column("disabled_at", Instant, nullable=True),
)
"""One row for each person who was invited or has signed in; ``person`` is the ``student`` of submissions.

``password`` is the hash of an own password; ``name`` and ``email`` are empty where the roster has them."""

IDENTITIES = Table(
    "identities",
    TABLES,
    Column("issuer", String, primary_key=True),
    Column("subject", String, primary_key=True),
    Column("person", ForeignKey("accounts.person", ondelete="CASCADE"), nullable=False),
    Index("identities_by_person", "person"),
)
"""Who a person is to a sign-in service; one identity is of one person."""

LOGIN_LINKS = Table(
    "login_links",
    TABLES,
    Column("digest", DIGEST, primary_key=True),
    Column("person", ForeignKey("accounts.person", ondelete="CASCADE"), nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False),
    Column("used_at", Instant, nullable=True),
    Index("login_links_by_person", "person"),
)
"""Single-use links that sign a person in."""

SESSIONS = Table(
    "sessions",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("digest", DIGEST, nullable=False, unique=True),
    Column("person", ForeignKey("accounts.person", ondelete="CASCADE"), nullable=False),
    Column("signed_in_by", Word(SignedInBy), nullable=False),
    Column("agent", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("seen_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False),
    Index("sessions_by_person", "person"),
)
"""Browsers that are signed in; ``agent`` is what the browser calls itself."""

TOKENS = Table(
    "tokens",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("digest", DIGEST, nullable=False, unique=True),
    Column("person", ForeignKey("accounts.person", ondelete="CASCADE"), nullable=False),
    Column("label", String, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("seen_at", Instant, nullable=True),
    Column("expires_at", Instant, nullable=True),
    Index("tokens_by_person", "person"),
)
"""Programs that act for a person; ``scopes`` are words with spaces between them."""
