"""What Grader asks of a course system that speaks LTI 1.3: the port and its values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from grader.errors import GraderError
from grader.store.lti_values import Platform, Points

LAB_PARAMETER = "lab"
"""The custom parameter of a link that names its lab."""


class LmsError(GraderError):
    """The course system did not do what it was asked. ``lasting``: asking again will not help."""

    def __init__(self, problem: str, *, lasting: bool = False) -> None:
        self.lasting = lasting
        super().__init__(problem)


class LmsRole(StrEnum):
    """What a person is in the course of the course system."""

    STUDENT = "student"
    ASSISTANT = "assistant"
    INSTRUCTOR = "instructor"
    OBSERVER = "observer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A person of the course. ``subject`` is their id in the course system, ``school_id`` the one that the school gave.

    ``role`` is ``None`` for a person without a role that Grader knows.
    """

    subject: str
    role: LmsRole | None
    name: str = ""
    email: str = ""
    school_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRequest:
    """The course system asks for a link to place: where the answer goes, and what it must carry back."""

    return_url: str
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """A person comes from a link in the course system. Texts are empty where the system says nothing.

    ``line_item`` is the address of the link's own column, ``line_items`` that of all columns, ``members_url`` that of
    the roster. ``link_request`` is there if the person is to choose what the link leads to.
    """

    member: Member
    deployment: str
    context: str
    context_title: str
    lab: str
    language: str
    line_item: str
    line_items: str
    members_url: str
    link_request: LinkRequest | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabItem:
    """A lab as a link and a column: ``url`` is where launches go, ``most`` the points of the column."""

    lab: str
    title: str
    url: str
    most: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SentScore:
    """A grade for one person; ``grade`` is ``None`` to empty the cell. ``stamp`` orders the grades of a person."""

    subject: str
    grade: Points | None
    stamp: datetime
    comment: str = field(default="")


class LtiClient(Protocol):
    """Talks to platforms. Calls of services raise ``LmsError`` after at most half a minute."""

    def launch(self, platform: Platform, token: str, nonce: str) -> Launch:
        """Check a launch. Raises: ``UserError``, one line that says what is wrong with it; ``LmsError``."""

    def link_answer(self, platform: Platform, launch: Launch, item: LabItem) -> str:
        """The signed answer to a ``LinkRequest`` that places ``item``."""

    def members(self, platform: Platform, members_url: str) -> tuple[Member, ...]:
        """Everybody in the course, from all pages."""

    def line_item(self, platform: Platform, line_items: str, item: LabItem) -> str:
        """The address of the column of a lab; made if there is none."""

    def send(self, platform: Platform, line_item: str, score: SentScore) -> None:
        """Send a grade. The same stamp again changes nothing."""

    def results(self, platform: Platform, line_item: str) -> Mapping[str, Points]:
        """The grades that a column shows, by the id of the person."""
