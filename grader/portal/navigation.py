"""The links at the top of every page: those pages of the table with a label that the visitor may see."""

from dataclasses import dataclass

from grader.model.reason import Reason, reason
from grader.portal.page import Page
from grader.portal.server import Server
from grader.portal.visitor import Visitor


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A page, and what it is called."""

    path: str
    label: Reason


def navigation(server: Server, visitor: Visitor) -> tuple[Link, ...]:
    """The links for ``visitor``, in the order of the table; the first is where a visitor starts."""
    return tuple(_link(page) for page in server.pages if page.label and visitor.may(page.scope))


def _link(page: Page) -> Link:
    return Link(path=page.path, label=reason(page.label))
