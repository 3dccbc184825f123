"""Sign in: the ways that there are, and a link that signs in once."""

from http import HTTPStatus

from starlette.responses import Response

from grader.course.accounts import links, passwords, sessions
from grader.course.usage import take
from grader.errors import NotFoundError
from grader.model.reason import reason
from grader.model.signing_in import SignedInBy
from grader.portal.answers import page, problem, redirect, too_often
from grader.portal.asked import Asked
from grader.portal.page import Page
from grader.portal.rates import PASSWORD, SIGN_IN


def ways(asked: Asked) -> Response:
    """The page to sign in; a visitor who is signed in goes on."""
    then = asked.query.get("then", "/")
    return redirect(asked, then) if asked.visitor.is_known else _form(asked, then)


def by_password(asked: Asked) -> Response:
    """Sign in whom a name and a password let in. Raises: ``NotFoundError`` where the course uses no passwords."""
    if not asked.server.settings.passwords:
        msg = "This course uses no passwords."
        raise NotFoundError(msg)
    then, name = asked.text("then", 500, default="/"), asked.text("person")
    wait = take(asked.workspace, PASSWORD, name.lower())
    if wait:
        return too_often(asked, wait)
    person = passwords.check(asked.workspace, name, asked.text("password", passwords.LONGEST))
    if person is None:
        return _form(asked, then, wrong=True)
    return signed_in(asked, person, SignedInBy.PASSWORD, then)


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


def _form(asked: Asked, then: str, *, wrong: bool = False) -> Response:
    status = HTTPStatus.UNAUTHORIZED if wrong else HTTPStatus.OK
    return page(asked, "sign_in.html.j2", status=status, then=then, wrong=wrong)


def signed_in(asked: Asked, person: str, by: SignedInBy, then: str) -> Response:
    """Begin a session of ``person`` in this browser, and go on with ``then``."""
    answer = redirect(asked, then)
    asked.server.jar.keep_session(answer, sessions.begin(asked.workspace, person, by, asked.agent))
    return answer


ROUTES = (
    Page(path="/sign-in", endpoint=ways, scope=None),
    Page(path="/sign-in", endpoint=by_password, scope=None, methods=("POST",), rate=SIGN_IN),
    Page(path="/sign-in/link/{secret}", endpoint=link, scope=None),
    Page(path="/sign-in/link/{secret}", endpoint=use_link, scope=None, methods=("POST",), rate=SIGN_IN),
)
