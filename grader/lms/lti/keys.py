"""The key pairs of Grader: made, published, and chosen to sign."""

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from jwcrypto.jwk import JWK

from grader.store.lti_values import Platform, ToolKey

_BITS = 2048


def new_key(since: datetime) -> ToolKey:
    """A fresh RSA key pair, which signs from ``since`` on."""
    made = JWK.generate(kty="RSA", size=_BITS)
    pem = made.export_to_pem(private_key=True, password=None)
    return ToolKey(kid=made.thumbprint(), private_key=pem.decode("ascii"), since=since)


def key_set(platforms: Iterable[Platform]) -> dict[str, list[dict[str, Any]]]:
    """The public halves of all keys, as a JSON Web Key Set."""
    return {"keys": [_public(key) for platform in platforms for key in platform.keys]}


def public_pem(key: ToolKey) -> str:
    """The public half of ``key`` as PEM."""
    return str(JWK.from_pem(key.private_key.encode("ascii")).export_to_pem().decode("ascii"))


def signing_key(platform: Platform, at: datetime) -> ToolKey:
    """The newest key that signs ``at`` that time; before all of them the oldest."""
    return next((key for key in reversed(platform.keys) if key.since <= at), platform.keys[0])


def _public(key: ToolKey) -> dict[str, Any]:
    public = json.loads(JWK.from_pem(key.private_key.encode("ascii")).export_public())
    return {**public, "kid": key.kid, "alg": "RS256", "use": "sig"}
