"""The table of device links: programs that wait until a person confirms them."""

from sqlalchemy import Boolean, Column, ForeignKey, Index, String, Table

from grader.store.column_types import Instant
from grader.store.metadata import DIGEST, TABLES

DEVICE_LINKS = Table(
    "device_links",
    TABLES,
    Column("digest", DIGEST, primary_key=True),
    Column("code", DIGEST, nullable=False, unique=True),
    Column("label", String, nullable=False),
    Column("person", ForeignKey("accounts.person", ondelete="CASCADE"), nullable=True),
    Column("accepted", Boolean, nullable=True),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False),
    Index("device_links_by_person", "person"),
)
"""One row for each program that waits. ``digest`` is that of its secret, ``code`` that of what a person types.

``accepted`` is what ``person`` decided; both are missing before."""
