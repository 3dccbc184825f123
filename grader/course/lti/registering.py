"""Register Grader at a course system, and the keys by which the system knows it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from grader.course.records import Records
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.model.text import printable
from grader.store.lti_values import Context, NewContext, NewPlatform, Platform

__all__ = ["NewPlatform", "Registered", "published_keys", "register", "registered", "rotate_keys"]

_KEY_REST = timedelta(days=1)
"""How long a new key is published before it signs: systems remember our keys for hours."""

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """A registered system, and its courses that are connected."""

    platform: Platform
    contexts: tuple[Context, ...]


def register(workspace: Workspace, asked: NewPlatform, courses: Sequence[str] = ()) -> Registered:
    """Register a course system, or change its addresses. ``courses`` are ids there to connect with the course here.

    Deployments that are known stay. Raises: ``UserError`` for an address that is no HTTPS, or without a deployment.
    """
    from grader.lms.lti.keys import new_key  # noqa: PLC0415 - an extra that only LTI needs

    for url in (asked.login_url, asked.token_url, asked.keys_url):
        _require_https(url)
    with Records(workspace) as records:
        platforms = records.store.platforms
        same = next((each for each in platforms.list() if _key(each) == _key(asked)), None)
        deployments = (*(same.deployments if same else ()), *asked.deployments)
        if not deployments:
            msg = "No deployment is named, so every launch would be refused."
            raise UserError(msg, hint="Give the id that the course system shows with --deployment.")
        platform = platforms.put(replace(asked, deployments=deployments), new_key(datetime.now(UTC)))
        for course in courses:
            platforms.connect(
                NewContext(platform=platform.id, deployment=deployments[0], context=course, title="")
            )
        return _registered(platform, platforms.contexts())


def registered(workspace: Workspace) -> tuple[Registered, ...]:
    """Every registered system."""
    with Records(workspace) as records:
        contexts = records.store.platforms.contexts()
        return tuple(_registered(each, contexts) for each in records.store.platforms.list())


def rotate_keys(workspace: Workspace) -> int:
    """Publish a new key for each system; it signs after a day, and the one before the last goes. Returns: how many."""
    from grader.lms.lti.keys import new_key  # noqa: PLC0415 - an extra that only LTI needs

    with Records(workspace) as records:
        found = records.store.platforms.list()
        for platform in found:
            records.store.platforms.add_key(platform.id, new_key(datetime.now(UTC) + _KEY_REST))
    return len(found)


def published_keys(workspace: Workspace) -> dict[str, list[dict[str, Any]]]:
    """The public keys of Grader, as a JSON Web Key Set."""
    from grader.lms.lti.keys import key_set  # noqa: PLC0415 - an extra that only LTI needs

    with Records(workspace) as records:
        return key_set(records.store.platforms.list())


def _registered(platform: Platform, contexts: tuple[Context, ...]) -> Registered:
    own = tuple(each for each in contexts if each.platform == platform.id)
    return Registered(platform=platform, contexts=own)


def _key(platform: NewPlatform) -> tuple[str, str]:
    return platform.issuer, platform.client_id


def _require_https(url: str) -> None:
    parts = urlsplit(url)
    if not parts.hostname or (parts.scheme != "https" and parts.hostname not in _LOOPBACK):
        msg = f"{printable(url)} is no address that begins with https://."
        raise UserError(msg, hint="Copy the address from the course system's page about the tool.")
