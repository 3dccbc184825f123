"""Device links: a program shows a code, and gets a token when its user has confirmed it (as in RFC 8628)."""

import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from grader.course.accounts import tokens
from grader.course.accounts.members import Member, ensure_account
from grader.course.accounts.secrets import digest, new_secret
from grader.course.accounts.tokens import Issued
from grader.course.records import Records
from grader.course.refused import RefusedError
from grader.course.workspace import Workspace
from grader.model.reason import reason
from grader.policy.access import Scope
from grader.store.device_links import DeviceLink

LIFE = timedelta(minutes=10)
"""How long a code can be confirmed."""

INTERVAL_SECONDS = 2
"""How often a program may ask."""

SCOPES = frozenset({Scope.SUBMIT, Scope.READ_OWN, Scope.READ_COURSE})
"""What a program gets, as far as its user has it: nothing that changes what others submitted or an account."""

TOKEN_DAYS = 180
"""How long a confirmed program may act: a term."""

_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""No vowel, so that no code is a word; no character that looks like another (RFC 8628, section 6.1)."""

_LENGTH = 8
_LABEL_LIMIT = 80
_NO_LETTER = re.compile(rf"[^{_LETTERS}]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """What a program is given: its own secret, and the code for its user."""

    secret: str
    code: str


def start(workspace: Workspace, label: str) -> Started:
    """Let a program wait, which calls itself ``label``."""
    now, secret = datetime.now(UTC), new_secret()
    letters = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
    shown = " ".join("".join(char if char.isprintable() else " " for char in label).split())
    link = DeviceLink(
        digest=digest(secret),
        code=digest(letters),
        label=shown[:_LABEL_LIMIT],
        created_at=now,
        expires_at=now + LIFE,
    )
    with Records(workspace) as records:
        records.store.device_links.add(link)
    return Started(secret=secret, code=f"{letters[: _LENGTH // 2]}-{letters[_LENGTH // 2 :]}")


def waiting(workspace: Workspace, typed: str) -> DeviceLink:
    """The program that waits for the code as it was ``typed``. Raises: ``RefusedError``."""
    with Records(workspace) as records:
        found = records.store.device_links.waiting(_digest(typed), datetime.now(UTC))
    if found is None:
        raise RefusedError(reason("device-code-unknown"))
    return found


def decide(workspace: Workspace, person: str, typed: str, *, accepted: bool) -> None:
    """Confirm the program of a code, or refuse it. Raises: ``RefusedError`` if none waits for it."""
    now = datetime.now(UTC)
    with Records(workspace) as records:
        ensure_account(records.store, person)
        links = records.store.device_links
        if not links.decide(_digest(typed), person, now, accepted=accepted):
            raise RefusedError(reason("device-code-unknown"))


def claim(workspace: Workspace, secret: str) -> Issued:
    """The token for the program with ``secret``, once. Raises: ``RefusedError`` if its user has not confirmed."""
    now = datetime.now(UTC)
    with Records(workspace) as records:
        links = records.store.device_links
        taken = links.take(digest(secret), now)
        if taken is None:
            code = "device-pending" if links.find(digest(secret), now) else "device-expired"
            raise RefusedError(reason(code))
        if not taken.accepted or taken.person is None:
            raise RefusedError(reason("device-refused"))
        account = ensure_account(records.store, taken.person)
        within = Member.of(account, None).scopes & SCOPES
    return tokens.issue(workspace, taken.person, taken.label or "grader", within=within, days=TOKEN_DAYS)


def _digest(typed: str) -> str:
    return digest(_NO_LETTER.sub("", typed.upper()))
