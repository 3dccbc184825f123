"""The people of a course who may sign in: its roster, and its staff."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Self

from grader.course.records import Records
from grader.course.workspace import Workspace
from grader.errors import NotFoundError, UserError
from grader.model.text import printable
from grader.policy.access import SCOPES_OF, Role, Scope
from grader.store.account_values import Account
from grader.store.people import Person
from grader.store.ports import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A person who may sign in. ``person`` is the ``student`` of submissions.

    ``language`` is the one that they chose, or that of the roster; empty: none.
    """

    person: str
    role: Role
    name: str = ""
    email: str = ""
    language: str = ""

    @classmethod
    def of(cls, account: Account, person: Person | None) -> Self:
        """The member with this ``account``, who may be a ``person`` of the roster."""
        known = person or Person(id=account.person)
        return cls(
            person=account.person,
            role=Role(account.role),
            name=account.name or known.name,
            email=account.email or known.email,
            language=account.language or known.language,
        )

    @property
    def scopes(self) -> frozenset[Scope]:
        """What the member may do."""
        return SCOPES_OF[self.role]

    @property
    def label(self) -> str:
        """The name, or else the id."""
        return self.name or self.person


def members(workspace: Workspace) -> tuple[Member, ...]:
    """Everybody who may sign in or be invited, by id."""
    with Records(workspace) as records:
        roster = {each.id: each for each in records.store.people.list()}
        accounts = {each.person: each for each in records.store.accounts.list()}
    listed = [
        Member.of(accounts.get(person) or _account(person, Role.STUDENT), roster.get(person))
        for person in sorted({*roster, *accounts})
        if person not in accounts or accounts[person].disabled_at is None
    ]
    return tuple(listed)


def ensure_account(store: Store, person: str) -> Account:
    """The account of ``person``, which is made for a person of the roster.

    Raises: ``NotFoundError`` for a stranger, ``UserError`` if the account is disabled.
    """
    account = store.accounts.find(person)
    if account is None:
        if store.people.find(person) is None:
            msg = f"No person of this course has the id {printable(person)}."
            raise NotFoundError(msg, hint="Import the roster, or give them a role with `grader course role`.")
        account = store.accounts.add(_account(person, Role.STUDENT))
    if account.disabled_at is not None:
        msg = f"The account of {printable(person)} is disabled."
        raise UserError(msg, hint="Enable it with `grader course role`.")
    return account


def find_by_name(store: Store, name: str) -> str | None:
    """The one person with the id or the e-mail address ``name``, in the roster or among the accounts."""
    if store.people.find(name) is not None or store.accounts.find(name) is not None:
        return name
    address = name.strip().lower()
    found = {each.id for each in store.people.list() if each.email.lower() == address}
    found |= {each.person for each in store.accounts.list() if each.email.lower() == address}
    return found.pop() if address and len(found) == 1 else None


def set_role(workspace: Workspace, person: str, role: Role, name: str = "", email: str = "") -> Member:
    """Give ``person`` a role; they need not be in the roster. Their account is enabled, and made if there is none.

    Raises: ``UserError`` without an id.
    """
    person = person.strip()
    if not person or not person.isprintable():
        msg = "A person needs an id of printable characters."
        raise UserError(msg)
    with Records(workspace) as records:
        before = records.store.accounts.find(person) or _account(person, role)
        account = replace(
            before, role=role, name=name or before.name, email=email or before.email, disabled_at=None
        )
        records.store.accounts.put(account)
        return Member.of(account, records.store.people.find(person))


def disable(workspace: Workspace, person: str) -> None:
    """Let ``person`` sign in no more, and end what is signed in. Raises: ``NotFoundError``."""
    with Records(workspace) as records:
        account = ensure_account(records.store, person)
        records.store.accounts.put(replace(account, disabled_at=datetime.now(UTC)))


def choose_language(workspace: Workspace, person: str, language: str) -> None:
    """Keep the language that ``person`` reads. Raises: ``NotFoundError``."""
    with Records(workspace) as records:
        records.store.accounts.put(replace(ensure_account(records.store, person), language=language))


def _account(person: str, role: Role) -> Account:
    return Account(person=person, role=role, created_at=datetime.now(UTC))
