"""The messages of the course system: launches, whole or with one thing wrong."""

import time
from collections.abc import Mapping
from typing import Any

import jwt
from jwcrypto.jwk import JWK

LTI = "https://purl.imsglobal.org/spec/lti/claim/"
AGS = "https://purl.imsglobal.org/spec/lti-ags/"
NRPS = "https://purl.imsglobal.org/spec/lti-nrps/"
LINKING = "https://purl.imsglobal.org/spec/lti-dl/claim/"
ROLE = "http://purl.imsglobal.org/vocab/lis/v2/membership#"

KEY = JWK.generate(kty="RSA", size=2048)
OTHER_KEY = JWK.generate(kty="RSA", size=2048)
"""A key that the course system does not publish."""


def pem(key: JWK) -> str:
    """The private half of ``key``."""
    return str(key.export_to_pem(private_key=True, password=None).decode())


def public_pem(key: JWK) -> str:
    """The public half of ``key``."""
    return str(key.export_to_pem().decode())


def launch_claims(
    system: str,
    client_id: str,
    member: Mapping[str, Any],
    nonce: str,
    *,
    lab: str = "",
    deployment: str = "1",
) -> dict[str, Any]:
    """What a launch of ``member`` from a link to ``lab`` says. ``system`` is the address of the course system."""
    now = int(time.time())
    claims: dict[str, Any] = {
        "iss": system,
        "aud": client_id,
        "sub": member["user_id"],
        "iat": now,
        "exp": now + 300,
        "nonce": nonce,
        "name": member.get("name", ""),
        "email": member.get("email", ""),
        f"{LTI}message_type": "LtiResourceLinkRequest",
        f"{LTI}version": "1.3.0",
        f"{LTI}deployment_id": deployment,
        f"{LTI}target_link_uri": "",
        f"{LTI}resource_link": {"id": f"link {lab or 'course'}"},
        f"{LTI}roles": member["roles"],
        f"{LTI}context": {"id": "course-7", "title": "GPU programming"},
        f"{LTI}lis": {"person_sourcedid": member.get("lis_person_sourcedid", "")},
        f"{LTI}launch_presentation": {"locale": member.get("locale", "en")},
        f"{AGS}claim/endpoint": {
            "scope": [f"{AGS}scope/{name}" for name in ("lineitem", "score", "result.readonly")],
            "lineitems": f"{system}/items",
        },
        f"{NRPS}claim/namesroleservice": {
            "context_memberships_url": f"{system}/members",
            "service_versions": ["2.0"],
        },
    }
    if lab:
        claims[f"{LTI}custom"] = {"lab": lab}
    return claims


def asking_for_a_link(claims: Mapping[str, Any]) -> dict[str, Any]:
    """``claims`` of a launch as those of a person who is to place a link."""
    settings = {
        "deep_link_return_url": f"{claims['iss']}/placed",
        "accept_types": ["ltiResourceLink"],
        "accept_presentation_document_targets": ["iframe", "window"],
        "data": "remember me",
    }
    without_link = {name: value for name, value in claims.items() if name != f"{LTI}resource_link"}
    return {
        **without_link,
        f"{LTI}message_type": "LtiDeepLinkingRequest",
        f"{LINKING}deep_linking_settings": settings,
    }


def signed(
    claims: Mapping[str, Any], key: JWK = KEY, *, algorithm: str = "RS256", kid: str | None = None
) -> str:
    """``claims`` as a token."""
    secret = "" if algorithm == "none" else pem(key)
    headers = {"kid": kid or KEY.thumbprint()}
    return jwt.encode(dict(claims), secret, algorithm=algorithm, headers=headers)
