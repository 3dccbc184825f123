"""Sessions and login links in a relational database."""

from datetime import datetime

from sqlalchemy import ColumnElement, Row, and_, delete, select, update

from grader.store.account_tables import ACCOUNTS, LOGIN_LINKS, SESSIONS
from grader.store.account_values import Account, NewSession, Session
from grader.store.accounts import COLUMNS, account_of
from grader.store.database import Database


class SqlSessions:
    """``Sessions`` over SQLAlchemy."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_link(self, digest: str, person: str, at: datetime, expires_at: datetime) -> None:
        """See ``Sessions.add_link``."""
        values = {"digest": digest, "person": person, "created_at": at, "expires_at": expires_at}
        with self._database.write() as connection:
            connection.execute(LOGIN_LINKS.insert().values(values))

    def link(self, digest: str, at: datetime) -> str | None:
        """See ``Sessions.link``."""
        with self._database.read() as connection:
            return connection.execute(
                select(LOGIN_LINKS.c.person).where(_usable(digest, at))
            ).scalar_one_or_none()

    def use_link(self, digest: str, at: datetime) -> str | None:
        """See ``Sessions.use_link``."""
        used = update(LOGIN_LINKS).where(_usable(digest, at)).values(used_at=at)
        with self._database.write() as connection:
            return connection.execute(used.returning(LOGIN_LINKS.c.person)).scalar_one_or_none()

    def begin(self, session: NewSession, at: datetime) -> Session:
        """See ``Sessions.begin``."""
        values = {
            "digest": session.digest,
            "person": session.person,
            "signed_in_by": session.signed_in_by,
            "agent": session.agent,
            "created_at": at,
            "seen_at": at,
            "expires_at": session.expires_at,
        }
        with self._database.write() as connection:
            return _session(connection.execute(SESSIONS.insert().values(values).returning(*SESSIONS.c)).one())

    def find(self, digest: str, at: datetime) -> tuple[Session, Account] | None:
        """See ``Sessions.find``."""
        wanted = (SESSIONS.c.digest == digest, SESSIONS.c.expires_at > at, ACCOUNTS.c.disabled_at.is_(None))
        with self._database.read() as connection:
            person = connection.execute(
                select(SESSIONS.c.person).join_from(SESSIONS, ACCOUNTS).where(*wanted)
            ).scalar_one_or_none()
            if person is None:
                return None
            session = connection.execute(select(SESSIONS).where(SESSIONS.c.digest == digest)).one()
            account = connection.execute(select(*COLUMNS).where(ACCOUNTS.c.person == person)).one()
        return _session(session), account_of(account)

    def seen(self, session: int, at: datetime) -> None:
        """See ``Sessions.seen``."""
        with self._database.write() as connection:
            connection.execute(update(SESSIONS).where(SESSIONS.c.id == session).values(seen_at=at))

    def list(self, person: str, at: datetime) -> tuple[Session, ...]:
        """See ``Sessions.list``."""
        wanted = (SESSIONS.c.person == person, SESSIONS.c.expires_at > at)
        with self._database.read() as connection:
            newest = select(SESSIONS).where(*wanted).order_by(SESSIONS.c.id.desc())
            return tuple(map(_session, connection.execute(newest)))

    def end(self, person: str, session: int | None = None) -> int:
        """See ``Sessions.end``."""
        ended = delete(SESSIONS).where(SESSIONS.c.person == person)
        if session is not None:
            ended = ended.where(SESSIONS.c.id == session)
        with self._database.write() as connection:
            return connection.execute(ended).rowcount

    def remove_expired(self, before: datetime) -> int:
        """See ``Sessions.remove_expired``."""
        with self._database.write() as connection:
            return sum(
                connection.execute(delete(table).where(table.c.expires_at < before)).rowcount
                for table in (SESSIONS, LOGIN_LINKS)
            )


def _usable(digest: str, at: datetime) -> ColumnElement[bool]:
    unused = and_(LOGIN_LINKS.c.used_at.is_(None), LOGIN_LINKS.c.expires_at > at)
    return and_(LOGIN_LINKS.c.digest == digest, unused)


def _session(row: Row[tuple[object, ...]]) -> Session:
    return Session(
        id=row.id,
        person=row.person,
        signed_in_by=row.signed_in_by,
        agent=row.agent,
        created_at=row.created_at,
        seen_at=row.seen_at,
        expires_at=row.expires_at,
    )
