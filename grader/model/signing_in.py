"""How a person may sign in."""

from enum import StrEnum


class SignedInBy(StrEnum):
    """How a session began."""

    LINK = "link"
    PASSWORD = "password"  # noqa: S105 - a word, not a secret
    OIDC = "oidc"
    LTI = "lti"
