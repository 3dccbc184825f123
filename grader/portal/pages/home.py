"""The start: the first page that the visitor may see."""

from starlette.responses import Response

from grader.policy.access import Scope
from grader.portal.answers import page, redirect
from grader.portal.asked import Asked
from grader.portal.navigation import navigation
from grader.portal.page import Page


def home(asked: Asked) -> Response:
    """Lead to the first page of the visitor's navigation."""
    links = navigation(asked.server, asked.visitor)
    return redirect(asked, links[0].path) if links else page(asked, "welcome.html.j2")


ROUTES = (Page(path="/", endpoint=home, scope=Scope.SELF),)
