"""Sign in: the ways that there are, and a link that signs in once."""

from http import HTTPStatus

from starlette.responses import Response

from grader.course.accounts import links, sessions
from grader.model.reason import reason
from grader.model.signing_in import SignedInBy
from grader.portal.answers import page, problem, redirect
from grader.portal.asked import Asked
from grader.portal.buckets import SIGN_IN
from grader.portal.page import Page


def ways(asked: Asked) -> Response:
    """The page to sign in; a visitor who is signed in goes on."""
    then = asked.query.get("then", "/")
    return redirect(asked, then) if asked.visitor.is_known else page(asked, "sign_in.html.j2", then=then)


def link(asked: Asked) -> Response:
    """A button. Following the link uses nothing up: scanners of mail follow links."""
    if not links.is_usable(asked.workspace, asked.path["secret"]):
        return problem(asked, HTTPStatus.GONE, reason("portal-link-gone"))
    return page(asked, "sign_in_link.html.j2")


def use_link(asked: Asked) -> Response:
    """Use the link up, and sign its person in."""
    person = links.use(asked.workspace, asked.path["secret"])
    if person is None:
        return problem(asked, HTTPStatus.GONE, reason("portal-link-gone"))
    return signed_in(asked, person, SignedInBy.LINK, "/")


def signed_in(asked: Asked, person: str, by: SignedInBy, then: str) -> Response:
    """Begin a session of ``person`` in this browser, and go on with ``then``."""
    answer = redirect(asked, then)
    asked.server.jar.keep_session(answer, sessions.begin(asked.workspace, person, by, asked.agent))
    return answer


ROUTES = (
    Page(path="/sign-in", endpoint=ways, scope=None),
    Page(path="/sign-in/link/{secret}", endpoint=link, scope=None),
    Page(path="/sign-in/link/{secret}", endpoint=use_link, scope=None, methods=("POST",), rate=SIGN_IN),
)
