"""The ports of accounts: people who sign in, their sessions and their tokens.

Errors and durability as in ``grader.store.ports``. A digest is the SHA-256 of a secret.
"""

from datetime import datetime
from typing import Protocol

from grader.store.account_values import Account, NewSession, NewToken, Session, Token


class Accounts(Protocol):
    """Who may sign in."""

    def put(self, account: Account) -> None:
        """Add ``account``, or change the one of the same person; its password, identities and sessions stay.

        The sessions, links and tokens of an account that becomes disabled end.
        """

    def add(self, account: Account) -> Account:
        """Add ``account`` unless there is one of the same person. Returns: what is stored."""

    def find(self, person: str) -> Account | None:
        """The account of ``person``."""

    def list(self) -> tuple[Account, ...]:
        """Every account, by person."""

    def set_password(self, person: str, hash: str | None) -> None:  # noqa: A002 - the field's term
        """Keep the hash of a password, or none."""

    def password(self, person: str) -> str | None:
        """The hash of the person's password, if they have one and the account is not disabled."""

    def identify(self, issuer: str, subject: str) -> str | None:
        """The person whom ``issuer`` knows as ``subject``."""

    def bind(self, person: str, issuer: str, subject: str) -> bool:
        """Note that ``issuer`` knows ``person`` as ``subject``. Returns: whether no other person is known so."""


class Sessions(Protocol):
    """Browsers that are signed in, and the links that sign in."""

    def add_link(self, digest: str, person: str, at: datetime, expires_at: datetime) -> None:
        """Keep a link that signs ``person`` in once."""

    def link(self, digest: str, at: datetime) -> str | None:
        """The person of a link that can be used."""

    def use_link(self, digest: str, at: datetime) -> str | None:
        """Use a link up. Of two callers one gets the person, the other ``None``."""

    def begin(self, session: NewSession, at: datetime) -> Session:
        """Begin a session."""

    def find(self, digest: str, at: datetime) -> tuple[Session, Account] | None:
        """The session that has not expired, and its account, unless that is disabled."""

    def seen(self, session: int, at: datetime) -> None:
        """Note that a session was used."""

    def list(self, person: str, at: datetime) -> tuple[Session, ...]:
        """The sessions of ``person`` that have not expired, the newest first."""

    def end(self, person: str, session: int | None = None) -> int:
        """End one session of ``person``, or all. Returns: how many that were."""

    def remove_expired(self, before: datetime) -> int:
        """Remove sessions and links that expired ``before``. Returns: how many that were."""


class Tokens(Protocol):
    """Programs that act for a person."""

    def add(self, token: NewToken, at: datetime) -> Token:
        """Keep a token."""

    def find(self, digest: str, at: datetime) -> tuple[Token, Account] | None:
        """The token that has not expired, and its account, unless that is disabled."""

    def seen(self, token: int, at: datetime) -> None:
        """Note that a token was used."""

    def list(self, person: str) -> tuple[Token, ...]:
        """The tokens of ``person``, the newest first."""

    def revoke(self, person: str, token: int) -> bool:
        """Remove a token of ``person``. Returns: whether there was one."""
