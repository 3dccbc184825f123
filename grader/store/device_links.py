"""Device links: values, and their rows in a relational database."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from sqlalchemy import Row, delete, select, update

from grader.store.database import Database
from grader.store.device_link_tables import DEVICE_LINKS


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceLink:
    """A program called ``label`` that asks for a token. ``accepted`` is what ``person`` decided; ``None``: nothing yet.

    ``digest`` is the SHA-256 of the program's secret, ``code`` that of the code that the person types.
    """

    digest: str
    code: str
    label: str
    created_at: datetime
    expires_at: datetime
    person: str | None = None
    accepted: bool | None = None


class DeviceLinks(Protocol):
    """Programs that wait until a person confirms them. A link that has expired is none."""

    def add(self, link: DeviceLink) -> None:
        """Keep ``link``, and remove those that have expired. Raises: ``ValueError`` for a known code."""

    def waiting(self, code: str, at: datetime) -> DeviceLink | None:
        """The link of this code, if it is undecided."""

    def decide(self, code: str, person: str, at: datetime, *, accepted: bool) -> bool:
        """Note what ``person`` decided. Returns: whether the link waited for it."""

    def find(self, digest: str, at: datetime) -> DeviceLink | None:
        """The link of the program with this secret."""

    def take(self, digest: str, at: datetime) -> DeviceLink | None:
        """Remove a link that was decided. Of two callers one gets it, the other ``None``."""


class SqlDeviceLinks:
    """``DeviceLinks`` over SQLAlchemy."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, link: DeviceLink) -> None:
        """See ``DeviceLinks.add``."""
        values = {column.name: getattr(link, column.name) for column in DEVICE_LINKS.c}
        insert = self._database.insert(DEVICE_LINKS).values(values).on_conflict_do_nothing()
        with self._database.write() as connection:
            connection.execute(delete(DEVICE_LINKS).where(DEVICE_LINKS.c.expires_at <= link.created_at))
            if connection.execute(insert.returning(DEVICE_LINKS.c.digest)).first() is None:
                msg = "the code or the secret of a device link is that of another one"
                raise ValueError(msg)

    def waiting(self, code: str, at: datetime) -> DeviceLink | None:
        """See ``DeviceLinks.waiting``."""
        wanted = (
            DEVICE_LINKS.c.code == code,
            DEVICE_LINKS.c.expires_at > at,
            DEVICE_LINKS.c.accepted.is_(None),
        )
        with self._database.read() as connection:
            row = connection.execute(select(DEVICE_LINKS).where(*wanted)).one_or_none()
        return None if row is None else _link(row)

    def decide(self, code: str, person: str, at: datetime, *, accepted: bool) -> bool:
        """See ``DeviceLinks.decide``."""
        undecided = (
            DEVICE_LINKS.c.code == code,
            DEVICE_LINKS.c.expires_at > at,
            DEVICE_LINKS.c.accepted.is_(None),
        )
        decided = update(DEVICE_LINKS).where(*undecided).values(person=person, accepted=accepted)
        with self._database.write() as connection:
            return connection.execute(decided).rowcount == 1

    def find(self, digest: str, at: datetime) -> DeviceLink | None:
        """See ``DeviceLinks.find``."""
        wanted = (DEVICE_LINKS.c.digest == digest, DEVICE_LINKS.c.expires_at > at)
        with self._database.read() as connection:
            row = connection.execute(select(DEVICE_LINKS).where(*wanted)).one_or_none()
        return None if row is None else _link(row)

    def take(self, digest: str, at: datetime) -> DeviceLink | None:
        """See ``DeviceLinks.take``."""
        wanted = (
            DEVICE_LINKS.c.digest == digest,
            DEVICE_LINKS.c.expires_at > at,
            DEVICE_LINKS.c.accepted.is_not(None),
        )
        with self._database.write() as connection:
            taken = delete(DEVICE_LINKS).where(*wanted).returning(*DEVICE_LINKS.c)
            row = connection.execute(taken).one_or_none()
        return None if row is None else _link(row)


def _link(row: Row[tuple[object, ...]]) -> DeviceLink:
    return DeviceLink(**dict(row._mapping))  # noqa: SLF001 - SQLAlchemy's documented name of a row's mapping
