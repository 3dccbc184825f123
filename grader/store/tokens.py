"""Tokens of programs in a relational database."""

from datetime import datetime

from sqlalchemy import Row, delete, or_, select, update

from grader.store.account_tables import ACCOUNTS, TOKENS
from grader.store.account_values import Account, NewToken, Token
from grader.store.accounts import COLUMNS, account_of
from grader.store.database import Database


class SqlTokens:
    """``Tokens`` over SQLAlchemy."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, token: NewToken, at: datetime) -> Token:
        """See ``Tokens.add``."""
        values = {
            "digest": token.digest,
            "person": token.person,
            "label": token.label,
            "scopes": " ".join(token.scopes),
            "created_at": at,
            "expires_at": token.expires_at,
        }
        with self._database.write() as connection:
            return _token(connection.execute(TOKENS.insert().values(values).returning(*TOKENS.c)).one())

    def find(self, digest: str, at: datetime) -> tuple[Token, Account] | None:
        """See ``Tokens.find``."""
        lives = or_(TOKENS.c.expires_at.is_(None), TOKENS.c.expires_at > at)
        wanted = (TOKENS.c.digest == digest, lives, ACCOUNTS.c.disabled_at.is_(None))
        with self._database.read() as connection:
            person = connection.execute(
                select(TOKENS.c.person).join_from(TOKENS, ACCOUNTS).where(*wanted)
            ).scalar_one_or_none()
            if person is None:
                return None
            token = connection.execute(select(TOKENS).where(TOKENS.c.digest == digest)).one()
            account = connection.execute(select(*COLUMNS).where(ACCOUNTS.c.person == person)).one()
        return _token(token), account_of(account)

    def seen(self, token: int, at: datetime) -> None:
        """See ``Tokens.seen``."""
        with self._database.write() as connection:
            connection.execute(update(TOKENS).where(TOKENS.c.id == token).values(seen_at=at))

    def list(self, person: str) -> tuple[Token, ...]:
        """See ``Tokens.list``."""
        newest = select(TOKENS).where(TOKENS.c.person == person).order_by(TOKENS.c.id.desc())
        with self._database.read() as connection:
            return tuple(map(_token, connection.execute(newest)))

    def revoke(self, person: str, token: int) -> bool:
        """See ``Tokens.revoke``."""
        wanted = (TOKENS.c.person == person, TOKENS.c.id == token)
        with self._database.write() as connection:
            return connection.execute(delete(TOKENS).where(*wanted)).rowcount == 1


def _token(row: Row[tuple[object, ...]]) -> Token:
    return Token(
        id=row.id,
        person=row.person,
        label=row.label,
        scopes=tuple(row.scopes.split()),
        created_at=row.created_at,
        seen_at=row.seen_at,
        expires_at=row.expires_at,
    )
