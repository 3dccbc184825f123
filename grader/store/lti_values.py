"""What the store keeps about course systems that speak LTI: platforms, their courses, and the grades sent to them."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolKey:
    """A key pair of Grader for one platform: a private RSA key as PEM, which signs from ``since`` on."""

    kid: str
    private_key: str
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPlatform:
    """A course system at which Grader is registered: what it calls itself and us, and where it answers.

    ``audience`` is what tokens for its token service name; empty: the service's address. ``deployments`` are the ids
    of the placements that its administrator made.
    """

    issuer: str
    client_id: str
    login_url: str
    token_url: str
    keys_url: str
    audience: str = ""
    deployments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform(NewPlatform):
    """A registered platform. ``keys`` are ours for it, the oldest first."""

    id: int
    keys: tuple[ToolKey, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewContext:
    """A course of a platform; ``context`` is its id there. Addresses are empty where the platform offers no service."""

    platform: int
    deployment: str
    context: str
    title: str
    members_url: str = ""
    line_items_url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context(NewContext):
    """A course of a platform that is connected with the course here."""

    id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LabLink:
    """A lab in a connected course; ``line_item`` is the address of its column, empty until there is one."""

    id: int
    context: int
    lab: str
    line_item: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingLogin:
    """A login that Grader began at a platform: its answer must carry ``nonce``."""

    platform: int
    nonce: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """A grade as a platform gets it: ``points`` of ``most``."""

    points: float
    most: float


class PushState(StrEnum):
    """Where a grade is on its way to the platform."""

    WAITING = "waiting"
    SENDING = "sending"
    SENT = "sent"
    REFUSED = "refused"


class PushEventKind(StrEnum):
    """What happened to a grade on its way."""

    WANTED = "wanted"
    SENT = "sent"
    FAILED = "failed"
    REFUSED = "refused"
    RETRIED = "retried"


@dataclass(frozen=True, slots=True, kw_only=True)
class Push:
    """The grade of one student in one column of a platform.

    ``wanted`` is the newest grade, ``None``: the column shall be empty; ``sent`` is what the platform has. ``stamp`` is
    the time that the newest request carries: a platform takes no older one. ``why`` is the last failure.
    """

    id: int
    link: int
    student: str
    lab: str
    wanted: Points | None
    sent: Points | None
    state: PushState
    tries: int
    not_before: datetime
    stamp: datetime | None
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PushEvent:
    """One line of the log of grades sent."""

    at: datetime
    student: str
    lab: str
    kind: PushEventKind
    points: float | None
    detail: str
