"""The tables of a course: its people and their attempts."""

from enum import StrEnum

from sqlalchemy import Column, ForeignKey, Index, Integer, String, Table, Text, UniqueConstraint

from grader.store.column_types import Instant, Word
from grader.store.metadata import DIGEST, TABLES


class MembershipKind(StrEnum):
    """What a person belongs to."""

    GROUP = "group"
    LABEL = "label"


ATTEMPTS = Table(
    "attempts",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("student", String, nullable=False),
    Column("lab", String, nullable=False),
    Column("source", String, nullable=False),
    Column("number", Integer, nullable=True),
    Column("submission", DIGEST, nullable=True),
    Column("submitted_at", Instant, nullable=False),
    Column("received_at", Instant, nullable=False),
    Column("group", String, nullable=False),
    Column("note", Text, nullable=False),
    Column("refusal", Text, nullable=True),
    UniqueConstraint("student", "lab", "source", name="attempts_once"),
    Index("attempts_by_lab", "lab", "student"),
)
"""One row for each time that a student submitted; ``source`` makes a second import of it add nothing.

``refusal`` is JSON of a ``Refusal``."""

PEOPLE = Table(
    "people",
    TABLES,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("email", String, nullable=False),
    Column("section", String, nullable=False),
    Column("language", String, nullable=False),
)
"""One row for each student of the roster; ``id`` is the ``student`` of submissions."""

PERSON_IDS = Table(
    "person_ids",
    TABLES,
    Column("system", String, primary_key=True),
    Column("value", String, primary_key=True),
    Column("person", ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    Index("person_ids_by_person", "person"),
)
"""The ids of a person in other systems; one id is of one person."""

MEMBERSHIPS = Table(
    "memberships",
    TABLES,
    Column("person", ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", Word(MembershipKind), primary_key=True),
    Column("name", String, primary_key=True),
)
"""The groups and labels of each person."""
