"""One's own tokens: make one, see when each was used, revoke it."""

from starlette.responses import Response

from grader.course.accounts import tokens
from grader.policy.access import Scope
from grader.portal.answers import page, redirect
from grader.portal.asked import Asked
from grader.portal.page import Page
from grader.portal.scope_words import scope_words
from grader.portal.times import Times

_PATH = "/me/tokens"

_NONE = ""
"""No scope at all: of a form without a tick it must not mean every scope."""


def listed(asked: Asked) -> Response:
    """The tokens, and a form for another."""
    found = tokens.listed(asked.workspace, asked.visitor.person)
    may = scope_words(asked.visitor.scopes)
    return page(asked, "tokens.html.j2", tokens=found, may=may, times=Times.of(asked), most=tokens.MOST_DAYS)


def make(asked: Asked) -> Response:
    """Make a token, and show it once."""
    issued = tokens.issue(
        asked.workspace,
        asked.visitor.person,
        asked.text("label"),
        within=asked.visitor.scopes,
        scopes=asked.texts("scope") or (_NONE,),
        days=asked.number("days", 1, tokens.MOST_DAYS),
    )
    return page(asked, "token_made.html.j2", issued=issued)


def revoke(asked: Asked) -> Response:
    """Revoke a token. Raises: ``NotFoundError``."""
    tokens.revoke(asked.workspace, asked.visitor.person, asked.number("token", 1, 2**31))
    return redirect(asked, _PATH)


ROUTES = (
    Page(path=_PATH, endpoint=listed, scope=Scope.SELF),
    Page(path=_PATH, endpoint=make, scope=Scope.SELF, methods=("POST",)),
    Page(path=f"{_PATH}/revoke", endpoint=revoke, scope=Scope.SELF, methods=("POST",)),
)
