"""Links that sign a person in once: for a first sign-in, and where a password is forgotten."""

import getpass
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from grader.course.accounts.members import Member, ensure_account, set_role
from grader.course.accounts.secrets import digest, new_secret
from grader.course.records import Records
from grader.course.workspace import Workspace
from grader.errors import NotFoundError
from grader.model.text import printable
from grader.policy.access import INVITED_BY, Role
from grader.store.values import Event, EventKind

LIFE = timedelta(days=7)
"""How long a link can be used."""

FIRST_INSTRUCTOR = "instructor"
"""The id of the first instructor, until others have accounts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link for ``member``. ``secret`` is its last part, which is stored nowhere."""

    member: Member
    secret: str
    expires_at: datetime

    def url(self, portal: str) -> str:
        """The whole address at a ``portal``."""
        return f"{portal.rstrip('/')}/sign-in/link/{self.secret}"


def invite(workspace: Workspace, person: str, by: Member | None = None, life: timedelta = LIFE) -> Link:
    """Make a link for ``person``; the audit trail says ``by`` whom, unless it was the command line.

    Raises: ``NotFoundError`` for a stranger, and for a role that ``by`` may not invite; ``UserError`` for a disabled
    account.
    """
    now, secret = datetime.now(UTC), new_secret()
    with Records(workspace) as records:
        account = ensure_account(records.store, person)
        if by is not None and Role(account.role) not in INVITED_BY[by.role]:
            msg = f"Only an instructor makes links for {printable(person)}."
            raise NotFoundError(msg)
        records.store.sessions.add_link(digest(secret), person, now, now + life)
        who = by.person if by else getpass.getuser()
        records.store.events.add(Event(kind=EventKind.INVITED, at=now, student=person, who=who))
        member = Member.of(account, records.store.people.find(person))
    return Link(member=member, secret=secret, expires_at=now + life)


def invite_first_instructor(workspace: Workspace) -> Link | None:
    """Make a link for the first instructor. ``None`` if there is an instructor who is signed in or was named."""
    with Records(workspace) as records:
        instructors = {each.person for each in records.store.accounts.list() if each.role == Role.INSTRUCTOR}
        is_signed_in = bool(records.store.sessions.list(FIRST_INSTRUCTOR, datetime.now(UTC)))
    if is_signed_in or instructors - {FIRST_INSTRUCTOR}:
        return None
    set_role(workspace, FIRST_INSTRUCTOR, Role.INSTRUCTOR)
    return invite(workspace, FIRST_INSTRUCTOR)


def is_usable(workspace: Workspace, secret: str) -> bool:
    """Whether the link can sign a person in; asking does not use it up."""
    with Records(workspace) as records:
        return records.store.sessions.link(digest(secret), datetime.now(UTC)) is not None


def use(workspace: Workspace, secret: str) -> str | None:
    """Use the link up. Returns: whom it signs in; ``None`` if it was used, has expired or is unknown."""
    with Records(workspace) as records:
        return records.store.sessions.use_link(digest(secret), datetime.now(UTC))
