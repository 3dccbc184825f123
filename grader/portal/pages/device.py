"""Confirm a program of one's own: type the code that it shows, see what it asks for, and decide."""

from starlette.responses import Response

from grader.course.accounts import device_links
from grader.policy.access import Scope
from grader.portal.answers import page
from grader.portal.asked import Asked
from grader.portal.page import Page
from grader.portal.rates import SIGN_IN
from grader.portal.scope_words import scope_words


def ask(asked: Asked) -> Response:
    """The field for the code."""
    return page(asked, "device.html.j2")


def confirm(asked: Asked) -> Response:
    """What the program of the typed code asks for. Typing it decides nothing."""
    code = asked.text("code", 40)
    link = device_links.waiting(asked.workspace, code)
    may = scope_words(asked.visitor.scopes & device_links.SCOPES)
    return page(asked, "device_confirm.html.j2", code=code, link=link, may=may, days=device_links.TOKEN_DAYS)


def decide(asked: Asked) -> Response:
    """Let the program act, or refuse it."""
    accepted = asked.choice("decision", {"accept": True, "refuse": False})
    device_links.decide(asked.workspace, asked.visitor.person, asked.text("code", 40), accepted=accepted)
    return page(asked, "device_done.html.j2", accepted=accepted)


ROUTES = (
    Page(path="/device", endpoint=ask, scope=Scope.SELF),
    Page(path="/device", endpoint=confirm, scope=Scope.SELF, methods=("POST",), rate=SIGN_IN),
    Page(path="/device/decide", endpoint=decide, scope=Scope.SELF, methods=("POST",), rate=SIGN_IN),
)
