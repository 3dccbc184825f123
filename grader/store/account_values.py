"""Values about accounts."""

from dataclasses import dataclass
from datetime import datetime

from grader.model.signing_in import SignedInBy


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A person who may sign in, unless ``disabled_at``. ``role`` is a word of ``grader.policy.access``.

    ``language`` is the one that they chose; ``name`` and ``email`` are empty where the roster has them.
    """

    person: str
    role: str
    name: str = ""
    email: str = ""
    language: str = ""
    created_at: datetime
    disabled_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A browser that is signed in. ``id`` names it in a list; its secret is stored nowhere."""

    id: int
    person: str
    signed_in_by: SignedInBy
    agent: str
    created_at: datetime
    seen_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSession:
    """A session to begin; ``digest`` is the SHA-256 of its secret."""

    digest: str
    person: str
    signed_in_by: SignedInBy
    agent: str
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A program that acts for a person within ``scopes``, words of ``grader.policy.access``."""

    id: int
    person: str
    label: str
    scopes: tuple[str, ...]
    created_at: datetime
    seen_at: datetime | None
    expires_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewToken:
    """A token to make; ``digest`` is the SHA-256 of its secret. ``expires_at``: ``None`` is never."""

    digest: str
    person: str
    label: str
    scopes: tuple[str, ...]
    expires_at: datetime | None
