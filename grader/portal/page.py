"""A row of the table of pages: where it is, who may see it, and what it takes."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from starlette.responses import Response

from grader.course.usage import Rate
from grader.policy.access import Scope

if TYPE_CHECKING:
    from grader.portal.asked import Asked

FORM_BYTES = 256 * 1024
"""The largest form without files."""


PROGRAMS = "/api/"
"""Before the addresses of the API."""

METRICS = "/metrics"
"""Where a monitor asks for figures."""


class Client(Enum):
    """What asks for a page: a browser with a cookie, or a program with a token."""

    BROWSER = "browser"
    PROGRAM = "program"

    @classmethod
    def at(cls, address: str) -> "Client":
        """What asks at ``address``."""
        return cls.PROGRAM if address.startswith((PROGRAMS, METRICS)) else cls.BROWSER


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page, or the target of a form.

    ``scope``: what the visitor must be allowed to do; ``None``: anybody may ask. Others get status 404, and in a
    browser without a session the page to sign in. ``label``: the statement that names it in the navigation of those
    who may see it. ``takes_files``: its forms may be as large as the settings say. ``rate``: how often one visitor may
    use it. ``cross_site``: other sites may post to it.
    """

    path: str
    endpoint: "Callable[[Asked], Response]"
    scope: Scope | None
    methods: tuple[str, ...] = ("GET",)
    label: str = ""
    takes_files: bool = False
    rate: Rate | None = None
    cross_site: bool = False

    @property
    def client(self) -> Client:
        """What asks for it."""
        return Client.at(self.path)
