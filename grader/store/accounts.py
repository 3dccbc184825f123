"""Accounts in a relational database."""

from sqlalchemy import Row, delete, select, update

from grader.store.account_tables import ACCOUNTS, IDENTITIES, LOGIN_LINKS, SESSIONS, TOKENS
from grader.store.account_values import Account
from grader.store.database import Database

COLUMNS = tuple(
    ACCOUNTS.c[name] for name in ("person", "role", "name", "email", "language", "created_at", "disabled_at")
)
"""The columns of an ``Account``."""


class SqlAccounts:
    """``Accounts`` over SQLAlchemy."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, account: Account) -> None:
        """See ``Accounts.put``."""
        values = {column.name: getattr(account, column.name) for column in COLUMNS}
        insert = self._database.insert(ACCOUNTS).values(values)
        changed = {name: value for name, value in values.items() if name not in {"person", "created_at"}}
        with self._database.write() as connection:
            connection.execute(insert.on_conflict_do_update(index_elements=["person"], set_=changed))
            if account.disabled_at is not None:
                for table in (SESSIONS, LOGIN_LINKS, TOKENS):
                    connection.execute(delete(table).where(table.c.person == account.person))

    def add(self, account: Account) -> Account:
        """See ``Accounts.add``."""
        values = {column.name: getattr(account, column.name) for column in COLUMNS}
        insert = self._database.insert(ACCOUNTS).values(values).on_conflict_do_nothing()
        with self._database.write() as connection:
            connection.execute(insert)
            stored = select(*COLUMNS).where(ACCOUNTS.c.person == account.person)
            return account_of(connection.execute(stored).one())

    def find(self, person: str) -> Account | None:
        """See ``Accounts.find``."""
        with self._database.read() as connection:
            row = connection.execute(select(*COLUMNS).where(ACCOUNTS.c.person == person)).one_or_none()
        return None if row is None else account_of(row)

    def list(self) -> tuple[Account, ...]:
        """See ``Accounts.list``."""
        with self._database.read() as connection:
            found = map(account_of, connection.execute(select(*COLUMNS)))
            # Databases order text by rules of their own.
            return tuple(sorted(found, key=lambda each: each.person))

    def set_password(self, person: str, hash: str | None) -> None:  # noqa: A002 - the field's term
        """See ``Accounts.set_password``."""
        with self._database.write() as connection:
            connection.execute(update(ACCOUNTS).where(ACCOUNTS.c.person == person).values(password=hash))

    def password(self, person: str) -> str | None:
        """See ``Accounts.password``."""
        wanted = (ACCOUNTS.c.person == person) & ACCOUNTS.c.disabled_at.is_(None)
        with self._database.read() as connection:
            return connection.execute(select(ACCOUNTS.c.password).where(wanted)).scalar_one_or_none()

    def identify(self, issuer: str, subject: str) -> str | None:
        """See ``Accounts.identify``."""
        wanted = (IDENTITIES.c.issuer == issuer) & (IDENTITIES.c.subject == subject)
        with self._database.read() as connection:
            return connection.execute(select(IDENTITIES.c.person).where(wanted)).scalar_one_or_none()

    def bind(self, person: str, issuer: str, subject: str) -> bool:
        """See ``Accounts.bind``."""
        values = {"person": person, "issuer": issuer, "subject": subject}
        insert = self._database.insert(IDENTITIES).values(values).on_conflict_do_nothing()
        wanted = (IDENTITIES.c.issuer == issuer) & (IDENTITIES.c.subject == subject)
        with self._database.write() as connection:
            connection.execute(insert)
            owner: str = connection.execute(select(IDENTITIES.c.person).where(wanted)).scalar_one()
        return owner == person


def account_of(row: Row[tuple[object, ...]]) -> Account:
    """The account in ``row``, which has ``COLUMNS``."""
    return Account(
        person=row.person,
        role=row.role,
        name=row.name,
        email=row.email,
        language=row.language,
        created_at=row.created_at,
        disabled_at=row.disabled_at,
    )
