"""Passwords: for courses without a sign-in service."""

import threading
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from grader.course.accounts.members import ensure_account, find_by_name
from grader.course.accounts.secrets import new_secret
from grader.course.records import Records
from grader.course.workspace import Workspace
from grader.errors import UserError

SHORTEST, LONGEST = 10, 200
"""The least and the most characters of a password."""

_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
"""argon2id with the least parameters that OWASP recommends: a whole class signs in within a minute."""

_AT_ONCE = threading.BoundedSemaphore(2)
"""Each hash takes 19 MiB and a core."""


def set_password(workspace: Workspace, person: str, new: str) -> None:
    """Keep the hash of a ``new`` password. Raises: ``UserError`` if it is too short, too long or the person's id."""
    if not SHORTEST <= len(new) <= LONGEST:
        msg = f"A password has {SHORTEST} to {LONGEST} characters."
        raise UserError(msg, hint="Use a sentence, or what a password manager draws.")
    if new.strip().lower() == person.lower() or len(set(new)) == 1:
        msg = "This password is easy to guess."
        raise UserError(msg, hint="Use a sentence, or what a password manager draws.")
    with _AT_ONCE:
        hashed = _HASHER.hash(new)
    with Records(workspace) as records:
        ensure_account(records.store, person)
        records.store.accounts.set_password(person, hashed)


def has_password(workspace: Workspace, person: str) -> bool:
    """Whether ``person`` has chosen a password."""
    with Records(workspace) as records:
        return records.store.accounts.password(person) is not None


def check(workspace: Workspace, name: str, password: str) -> str | None:
    """The person whom ``name``, an id or an e-mail address, and ``password`` let in.

    A stranger costs the same work as a member, so that the time says nothing.
    """
    with Records(workspace) as records:
        person = find_by_name(records.store, name)
        stored = records.store.accounts.password(person) if person else None
    is_right = _verify(stored or _hash_of_nobody(), password[:LONGEST])
    return person if stored and is_right else None


def _verify(hashed: str, password: str) -> bool:
    try:
        with _AT_ONCE:
            return _HASHER.verify(hashed, password)
    except (VerificationError, InvalidHashError):
        return False


@cache
def _hash_of_nobody() -> str:
    return _HASHER.hash(new_secret())
