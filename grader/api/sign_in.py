"""Who asks, their tokens, and the link of a device: a program gets a token after its user confirmed a code."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Me:
    """The person of the token. ``scopes`` are those of the token; ``language`` is that of the texts they get."""

    person: str
    name: str
    role: str
    language: str
    scopes: tuple[str, ...]
    course: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceRequest:
    """A program asks for a token. ``label`` names it on the page where its user confirms."""

    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceCode:
    """The user types ``user_code`` at ``link``; the program asks with ``device_code`` every ``interval`` seconds."""

    device_code: str
    user_code: str
    link: str
    interval: int
    expires_in: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceClaim:
    """A program asks whether its user confirmed."""

    device_code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewToken:
    """A wish for a token. Without ``scopes`` it may all that its owner may; without ``days`` it never expires."""

    label: str
    scopes: tuple[str, ...] = ()
    days: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A token without its secret. Times are ISO 8601 in UTC."""

    id: int
    label: str
    scopes: tuple[str, ...]
    created_at: str
    expires_at: str | None
    last_used_at: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuedToken:
    """A new token; its ``secret`` is shown this once."""

    token: Token
    secret: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """The tokens of the person that are not revoked."""

    tokens: tuple[Token, ...]
