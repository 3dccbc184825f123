"""What an OpenID Connect provider says about itself, and what it says about a person."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx2
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.httpx_client import OAuth2Client
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from grader.config.portal_settings import PortalSettings
from grader.errors import InfrastructureError, UserError

_SECONDS = 10.0
_DISCOVERY_SECONDS = 3600.0
_ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"]
"""Signatures by a public key alone: no provider needs another."""

_LEEWAY_SECONDS = 60
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})


class SignInRefusedError(UserError):
    """The provider, or what came back from it, signs no person in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingSignIn:
    """A sign-in that was begun in a browser, which keeps it. ``then`` is where it leads."""

    state: str
    nonce: str
    verifier: str
    then: str


class Provider:
    """The provider of the settings. Thread-safe.

    Every method raises ``InfrastructureError`` if the provider does not answer as one.
    """

    def __init__(self, settings: PortalSettings, secret: str) -> None:
        self._settings = settings
        self._secret = secret
        self._known: tuple[float, Mapping[str, Any]] | None = None

    def address(self, pending: PendingSignIn, back: str) -> str:
        """Where the browser goes to sign in; it comes back to ``back``."""
        with self._client(back) as client:
            url, _ = client.create_authorization_url(
                self._discovered()["authorization_endpoint"],
                state=pending.state,
                nonce=pending.nonce,
                code_verifier=pending.verifier,
            )
        return str(url)

    def claims(self, pending: PendingSignIn, back: str, answer: str) -> Mapping[str, Any]:
        """What the provider says about the person, for the address ``answer`` that it sent the browser to.

        Raises: ``SignInRefusedError`` if it refuses, or the answer is not to ``pending``.
        """
        discovered = self._discovered()
        with self._client(back) as client:
            try:
                tokens = client.fetch_token(
                    discovered["token_endpoint"],
                    authorization_response=answer,
                    state=pending.state,
                    code_verifier=pending.verifier,
                )
            except AuthlibBaseError as error:
                raise _refused() from error
            except httpx2.HTTPError as error:
                raise self._silent(error) from error
        keys = KeySet.import_key_set(self._fetched(discovered["jwks_uri"]))
        return self._verified(str(tokens.get("id_token", "")), keys, pending.nonce)

    def _verified(self, token: str, keys: KeySet, nonce: str) -> Mapping[str, Any]:
        rules = jwt.JWTClaimsRegistry(
            leeway=_LEEWAY_SECONDS,
            iss={"essential": True, "value": self._settings.oidc_issuer},
            aud={"essential": True, "value": self._settings.oidc_client},
            exp={"essential": True},
            iat={"essential": True},
            sub={"essential": True},
            nonce={"essential": True, "value": nonce},
        )
        try:
            decoded = jwt.decode(token, keys, algorithms=_ALGORITHMS)
            rules.validate(decoded.claims)
        except (JoseError, ValueError) as error:
            raise _refused() from error
        return decoded.claims

    def _discovered(self) -> Mapping[str, Any]:
        """The provider's own description, read once an hour."""
        issuer = self._settings.oidc_issuer
        now = time.monotonic()
        if self._known is None or now - self._known[0] > _DISCOVERY_SECONDS:
            found = self._fetched(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
            if found.get("issuer") != issuer:
                msg = (
                    f"[portal] oidc_issuer is {issuer}, and the provider calls itself {found.get('issuer')}."
                )
                raise InfrastructureError(msg)
            self._known = (now, found)
        return self._known[1]

    def _fetched(self, url: str) -> Any:
        try:
            answer = httpx2.get(url, timeout=_SECONDS)
            answer.raise_for_status()
            return answer.json()
        except (httpx2.HTTPError, ValueError) as error:
            raise self._silent(error) from error

    def _client(self, back: str) -> OAuth2Client:
        return OAuth2Client(
            self._settings.oidc_client,
            self._secret,
            scope="openid email profile",
            redirect_uri=back,
            code_challenge_method="S256",
            timeout=_SECONDS,
        )

    def _silent(self, error: Exception) -> InfrastructureError:
        return InfrastructureError(f"The sign-in service {self._settings.oidc_issuer} fails: {error!r}")


def require_safe(issuer: str) -> None:
    """Raises: ``UserError`` for an issuer that others could read or change on the way."""
    parts = urlsplit(issuer)
    if parts.scheme != "https" and parts.hostname not in _LOCAL:
        msg = f"[portal] oidc_issuer must begin with https, not {issuer}."
        raise UserError(msg)


def _refused() -> SignInRefusedError:
    return SignInRefusedError("The sign-in did not succeed.", hint="Begin again from the page to sign in.")
