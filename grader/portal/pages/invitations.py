"""Staff make links that sign people in: for a first time, and where a password is forgotten."""

from starlette.responses import Response

from grader.course.accounts import links
from grader.course.accounts.members import Member, members
from grader.policy.access import INVITED_BY, Scope
from grader.portal.answers import page
from grader.portal.asked import Asked
from grader.portal.page import Page

_PATH = "/invitations"


def everybody(asked: Asked) -> Response:
    """Everybody whom the visitor may make a link for, filtered by a part of the name."""
    wanted = asked.query.get("q", "").strip()
    listed = [each for each in _invitable(asked) if wanted.lower() in f"{each.name} {each.person}".lower()]
    return page(asked, "invitations.html.j2", members=listed, wanted=wanted)


def invite(asked: Asked) -> Response:
    """Make a link, and show it once. Raises: ``NotFoundError``."""
    person = asked.text("person")
    by = next(each for each in members(asked.workspace) if each.person == asked.visitor.person)
    link = links.invite(asked.workspace, person, by)
    return page(asked, "invited.html.j2", link=link, url=link.url(asked.server.settings.url))


def _invitable(asked: Asked) -> list[Member]:
    roles = INVITED_BY[asked.visitor.role] if asked.visitor.role else frozenset()
    return [each for each in members(asked.workspace) if each.role in roles]


ROUTES = (
    Page(path=_PATH, endpoint=everybody, scope=Scope.ROSTER, label="portal-nav-invitations"),
    Page(path=_PATH, endpoint=invite, scope=Scope.ROSTER, methods=("POST",)),
)
