"""Tokens: programs that act for a person, within some of the person's scopes."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from grader.course.accounts.members import Member, ensure_account
from grader.course.accounts.secrets import digest, new_secret
from grader.course.records import Records
from grader.course.refused import RefusedError
from grader.course.workspace import Workspace
from grader.errors import NotFoundError
from grader.model.reason import reason
from grader.policy.access import Scope
from grader.store.account_values import NewToken, Token

PREFIX = "gr_"
"""Starts every token, so that scanners of repositories can find one that was published."""

MOST_DAYS = 366
"""The longest life of a token that expires."""

MOST_TOKENS = 50
"""The most tokens of one person."""

_LABEL_LIMIT = 80
_SEEN_EVERY = timedelta(minutes=5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Issued:
    """A new token; ``secret`` is stored nowhere."""

    token: Token
    secret: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenOwner:
    """For whom a token acts. ``scopes`` are those of the token that its owner still has."""

    member: Member
    token: Token
    scopes: frozenset[Scope]


def issue(  # noqa: PLR0913 - a token and its parts
    workspace: Workspace,
    person: str,
    label: str,
    *,
    within: Collection[Scope],
    scopes: Collection[str] = (),
    days: int | None = None,
) -> Issued:
    """Make a token of ``person`` with ``scopes``, or with all of those it must stay ``within``.

    Raises: ``RefusedError`` for a scope that is not within, an empty label, a life that is too long or too many tokens.
    """
    name = " ".join(label.split())
    if not name or not name.isprintable() or len(name) > _LABEL_LIMIT:
        raise RefusedError(reason("token-label", limit=_LABEL_LIMIT))
    if days is not None and not 1 <= days <= MOST_DAYS:
        raise RefusedError(reason("token-days", limit=MOST_DAYS))
    allowed = {scope.value for scope in within}
    if not set(scopes) <= allowed or not allowed:
        raise RefusedError(reason("token-scopes", scopes=tuple(sorted(allowed))))
    now, secret = datetime.now(UTC), new_secret(PREFIX)
    new = NewToken(
        digest=digest(secret),
        person=person,
        label=name,
        scopes=tuple(sorted(set(scopes) or allowed)),
        expires_at=None if days is None else now + timedelta(days=days),
    )
    with Records(workspace) as records:
        ensure_account(records.store, person)
        if len(records.store.tokens.list(person)) >= MOST_TOKENS:
            raise RefusedError(reason("token-too-many", limit=MOST_TOKENS))
        return Issued(token=records.store.tokens.add(new, now), secret=secret)


def find(workspace: Workspace, secret: str) -> TokenOwner | None:
    """For whom the token with ``secret`` acts; ``None`` if it is unknown, revoked or expired."""
    now = datetime.now(UTC)
    with Records(workspace) as records:
        found = records.store.tokens.find(digest(secret), now)
        if found is None:
            return None
        token, account = found
        if token.seen_at is None or now - token.seen_at > _SEEN_EVERY:
            records.store.tokens.seen(token.id, now)
        member = Member.of(account, records.store.people.find(token.person))
    scopes = frozenset(scope for scope in member.scopes if scope.value in token.scopes)
    return TokenOwner(member=member, token=token, scopes=scopes)


def listed(workspace: Workspace, person: str) -> tuple[Token, ...]:
    """The tokens of ``person`` that have not expired, the newest first."""
    now = datetime.now(UTC)
    with Records(workspace) as records:
        known = records.store.tokens.list(person)
    return tuple(each for each in known if each.expires_at is None or each.expires_at > now)


def revoke(workspace: Workspace, person: str, token: int) -> None:
    """Revoke a token of ``person``. Raises: ``NotFoundError`` if there is none."""
    with Records(workspace) as records:
        if not records.store.tokens.revoke(person, token):
            msg = f"There is no token {token} of yours."
            raise NotFoundError(msg)
