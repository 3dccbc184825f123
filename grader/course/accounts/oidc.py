"""Sign in by a service that speaks OpenID Connect: a person of the course by what the service says."""

import os
import secrets
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from grader.config.portal_settings import PortalSettings
from grader.course.accounts.members import ensure_account, find_by_name
from grader.course.accounts.oidc_provider import PendingSignIn, Provider, SignInRefusedError, require_safe
from grader.course.accounts.secrets import new_secret
from grader.course.records import Records
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.model.text import printable
from grader.store.ports import Store

SECRET = "GRADER_OIDC_SECRET"  # noqa: S105 - the name of a variable

_EMAIL = "email"


def begin(workspace: Workspace, back: str, then: str) -> tuple[str, PendingSignIn]:
    """Begin a sign-in. Returns: where the browser goes, and what it must keep until it comes to ``back``.

    Raises: ``UserError`` if the settings name no service, ``InfrastructureError`` if it fails.
    """
    pending = PendingSignIn(
        state=new_secret(), nonce=secrets.token_urlsafe(16), verifier=new_secret(), then=then
    )
    return _provider(workspace).address(pending, back), pending


def finish(workspace: Workspace, pending: PendingSignIn | None, back: str, answer: str, state: str) -> str:
    """The person whom the service signs in, for the address ``answer`` that the browser was sent to.

    Raises: ``SignInRefusedError`` for an answer that this browser did not ask for, and for people who are not in the
    course; ``InfrastructureError`` if the service fails.
    """
    if pending is None or not secrets.compare_digest(pending.state.encode(), state.encode()):
        msg = "This sign-in was not begun in this browser, or was finished before."
        raise SignInRefusedError(msg, hint="Begin again from the page to sign in.")
    claims = _provider(workspace).claims(pending, back, answer)
    with Records(workspace) as records:
        return _person(records.store, workspace.config.portal, claims)


def _person(store: Store, settings: PortalSettings, claims: Mapping[str, Any]) -> str:
    """Whom the claims are about: by an identity that is known, else by the claim of the settings."""
    issuer, subject = settings.oidc_issuer, str(claims["sub"])
    person = store.accounts.identify(issuer, subject) or _found(store, settings.oidc_person, claims)
    if person is None:
        msg = "The sign-in service knows you, but this course does not."
        raise SignInRefusedError(msg, hint="Ask its staff to add you to the roster.")
    ensure_account(store, person)
    store.accounts.bind(person, issuer, subject)
    return person


def _found(store: Store, claim: str, claims: Mapping[str, Any]) -> str | None:
    value = claims.get(claim)
    if not isinstance(value, str) or (claim == _EMAIL and claims.get("email_verified") is False):
        return None
    found = find_by_name(store, value)
    # An address must not be taken for an id, nor an id for an address.
    return found if found is None or (found == value) is (claim != _EMAIL) else None


def _provider(workspace: Workspace) -> Provider:
    settings = workspace.config.portal
    if not settings.oidc_issuer:
        msg = "No sign-in service is set up."
        raise UserError(msg, hint="Set oidc_issuer and oidc_client in [portal] of grader.toml.")
    return _shared(settings, _secret(settings, workspace.config.base))


@cache
def _shared(settings: PortalSettings, secret: str) -> Provider:
    require_safe(settings.oidc_issuer)
    return Provider(settings, secret)


def _secret(settings: PortalSettings, base: Path) -> str:
    if not settings.oidc_secret_file:
        return os.environ.get(SECRET, "")
    file = base / settings.oidc_secret_file
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        msg = f"The file {printable(str(file))} of [portal] oidc_secret_file cannot be read."
        raise UserError(msg) from error
