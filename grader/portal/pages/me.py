"""One's own data: where one is signed in, which programs act for one, what is stored, and its erasure."""

from starlette.responses import Response

from grader.course.accounts import sessions, tokens
from grader.course.own_data import ask_for_erasure, asked_for_erasure, own_data
from grader.policy.access import Scope
from grader.portal.answers import download, page, redirect
from grader.portal.asked import Asked
from grader.portal.page import Page
from grader.portal.scope_words import scope_words
from grader.portal.times import Times
from grader.report.files import plain_name

_NONE = ""
"""No scope at all: a form without a tick must not mean every scope."""


def me(asked: Asked, secret: str = "") -> Response:
    """The page; ``secret`` is that of a token that was just made, which is shown once."""
    person = asked.visitor.person
    return page(
        asked,
        "me.html.j2",
        sessions=sessions.listed(asked.workspace, person),
        tokens=tokens.listed(asked.workspace, person),
        secret=secret,
        may=scope_words(asked.visitor.scopes),
        erasure_asked=asked_for_erasure(asked.workspace, person),
        times=Times.of(asked),
    )


def show(asked: Asked) -> Response:
    """The page."""
    return me(asked)


def make_token(asked: Asked) -> Response:
    """Make a token with the ticked scopes; its secret is shown this once."""
    made = tokens.issue(
        asked.workspace,
        asked.visitor.person,
        asked.text("label"),
        within=asked.visitor.scopes,
        scopes=asked.texts("scope") or (_NONE,),
        days=asked.number("days", 1, tokens.MOST_DAYS),
    )
    return me(asked, made.secret)


def revoke_token(asked: Asked) -> Response:
    """Revoke a token."""
    tokens.revoke(asked.workspace, asked.visitor.person, int(asked.path["token"]))
    return redirect(asked, "/me#tokens")


def end_session(asked: Asked) -> Response:
    """Sign out in another browser."""
    sessions.end(asked.workspace, asked.visitor.person, int(asked.path["session"]))
    return redirect(asked, "/me#sessions")


def end_other_sessions(asked: Asked) -> Response:
    """Sign out everywhere but here."""
    sessions.end_others(asked.workspace, asked.visitor.person, asked.visitor.session or 0)
    return redirect(asked, "/me#sessions")


def export(asked: Asked) -> Response:
    """Everything that is stored about the visitor."""
    name = f"{plain_name(asked.visitor.person)}.zip"
    return download(name, own_data(asked.workspace, asked.visitor.person, asked.now), "application/zip")


def erase(asked: Asked) -> Response:
    """Ask staff for erasure."""
    ask_for_erasure(asked.workspace, asked.visitor.person)
    return redirect(asked, "/me#data")


ROUTES = (
    Page(path="/me", endpoint=show, scope=Scope.SELF, label="portal-me"),
    Page(path="/me/tokens", endpoint=make_token, scope=Scope.SELF, methods=("POST",)),
    Page(path="/me/tokens/{token:int}/revoke", endpoint=revoke_token, scope=Scope.SELF, methods=("POST",)),
    Page(path="/me/sessions/{session:int}/end", endpoint=end_session, scope=Scope.SELF, methods=("POST",)),
    Page(path="/me/sessions/end", endpoint=end_other_sessions, scope=Scope.SELF, methods=("POST",)),
    Page(path="/me/export", endpoint=export, scope=Scope.SELF),
    Page(path="/me/erase", endpoint=erase, scope=Scope.SELF, methods=("POST",)),
)
