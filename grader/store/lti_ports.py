"""The ports of the store about course systems that speak LTI."""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from grader.store.lti_values import (
    Context,
    LabLink,
    NewContext,
    NewPlatform,
    PendingLogin,
    Platform,
    Points,
    Push,
    PushEvent,
    ToolKey,
)


class Platforms(Protocol):
    """Registered course systems, their courses that are connected, and logins under way."""

    def put(self, platform: NewPlatform, key: ToolKey) -> Platform:
        """Register ``platform``, or replace its addresses and deployments. It gets ``key`` only if it has none."""

    def list(self) -> tuple[Platform, ...]:
        """Every platform, in the order of registration."""

    def add_key(self, platform: int, key: ToolKey) -> None:
        """Add a key pair of ours; all but the newest two are removed."""

    def connect(self, context: NewContext) -> Context:
        """Connect a course of a platform, or replace what is known of it."""

    def contexts(self) -> tuple[Context, ...]:
        """Every connected course, in the order of connection."""

    def link(self, context: int, lab: str, line_item: str = "") -> LabLink:
        """Link ``lab`` into a connected course; an empty ``line_item`` keeps the one that is known."""

    def links(self) -> tuple[LabLink, ...]:
        """Every linked lab, in the order of linking."""

    def begin_login(self, state: str, login: PendingLogin, expires: datetime) -> None:
        """Remember a login by the digest ``state`` until it ``expires``; expired ones are removed."""

    def end_login(self, state: str, at: datetime) -> PendingLogin | None:
        """Take the login with this digest: of several calls one gets it. ``None``: there is none ``at`` that time."""


class Pushes(Protocol):
    """The grades on their way to course systems: the newest of each student wins, and none is sent twice."""

    def want(self, link: LabLink, grades: Mapping[str, Points | None], at: datetime) -> int:
        """Note the grades of students in a column. Returns: how many are to be sent because of it.

        A grade that the platform has already is not sent. ``None`` empties the cell; students without a row who have no
        grade get none.
        """

    def due(self, at: datetime) -> tuple[Push, ...]:
        """What is to be sent ``at`` that time, the longest waiting first; also what a sender left when it died."""

    def start(self, push: Push, at: datetime) -> Push | None:
        """Mark ``push`` as being sent. Returns: the push with the stamp of its request; ``None`` if it changed since.

        The stamp of a grade rises with each new grade; a second request with the same grade has the same stamp.
        """

    def delivered(self, push: Push, at: datetime) -> None:
        """Note that the platform has the wanted grade of ``push``; a newer one waits on."""

    def failed(self, push: Push, why: str, at: datetime, again: datetime | None) -> None:
        """Note a failure: it is tried ``again`` then; ``None``: not before the grade changes or staff ask for it."""

    def retry(self, at: datetime) -> int:
        """Let what was refused or waits for its next try be sent at once. Returns: how many."""

    def list(self) -> tuple[Push, ...]:
        """Every grade, by lab and student."""

    def events(self, limit: int = 200) -> tuple[PushEvent, ...]:
        """The newest ``limit`` lines of the log, newest first."""
