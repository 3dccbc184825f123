"""Signed-in browsers: a random secret in a cookie, of which the store has the digest."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from grader.course.accounts.members import Member, ensure_account
from grader.course.accounts.secrets import digest, new_secret
from grader.course.records import Records
from grader.course.workspace import Workspace
from grader.model.signing_in import SignedInBy
from grader.store.account_values import NewSession, Session

_AGENT_LIMIT = 200
_SEEN_EVERY = timedelta(minutes=5)
"""The use of a session is noted no more often than this: a page should not need a write."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn:
    """Who is signed in, and by which session."""

    member: Member
    session: Session


def begin(workspace: Workspace, person: str, by: SignedInBy, agent: str) -> str:
    """Begin a session of ``person``. Returns: its secret.

    Raises: ``NotFoundError`` for a stranger, ``UserError`` for a disabled account.
    """
    now, secret = datetime.now(UTC), new_secret()
    life = timedelta(days=workspace.config.portal.session_days)
    with Records(workspace) as records:
        ensure_account(records.store, person)
        records.store.sessions.remove_expired(now)
        records.store.sessions.begin(
            NewSession(
                digest=digest(secret),
                person=person,
                signed_in_by=by,
                agent=agent[:_AGENT_LIMIT],
                expires_at=now + life,
            ),
            now,
        )
    return secret


def find(workspace: Workspace, secret: str) -> SignedIn | None:
    """Who is signed in with ``secret``."""
    now = datetime.now(UTC)
    with Records(workspace) as records:
        found = records.store.sessions.find(digest(secret), now)
        if found is None:
            return None
        session, account = found
        if now - session.seen_at > _SEEN_EVERY:
            records.store.sessions.seen(session.id, now)
        return SignedIn(member=Member.of(account, records.store.people.find(session.person)), session=session)


def listed(workspace: Workspace, person: str) -> tuple[Session, ...]:
    """Where ``person`` is signed in, the newest first."""
    with Records(workspace) as records:
        return records.store.sessions.list(person, datetime.now(UTC))


def end_others(workspace: Workspace, person: str, kept: int) -> None:
    """Sign ``person`` out everywhere but in the session ``kept``."""
    with Records(workspace) as records:
        for each in records.store.sessions.list(person, datetime.now(UTC)):
            if each.id != kept:
                records.store.sessions.end(person, each.id)


def end(workspace: Workspace, person: str, session: int | None = None) -> int:
    """Sign ``person`` out, in one browser or everywhere. Returns: how many sessions ended."""
    with Records(workspace) as records:
        return records.store.sessions.end(person, session)
