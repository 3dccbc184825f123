"""Choose a password of one's own."""

from starlette.responses import Response

from grader.course.accounts import passwords, sessions
from grader.errors import UserError
from grader.model.signing_in import SignedInBy
from grader.policy.access import Scope
from grader.portal.answers import page
from grader.portal.asked import Asked
from grader.portal.page import Page
from grader.portal.pages.sign_in import signed_in
from grader.portal.rates import SIGN_IN

_PATH = "/me/password"


def form(asked: Asked) -> Response:
    """The form; who signed in by a link may have forgotten the former password."""
    return page(asked, "password.html.j2", asks_former=_asks_former(asked), shortest=passwords.SHORTEST)


def change(asked: Asked) -> Response:
    """Keep the new password, and sign out everywhere else. Raises: ``UserError``."""
    person = asked.visitor.person
    if not asked.server.settings.passwords:
        msg = "This course uses no passwords."
        raise UserError(msg)
    if _asks_former(asked):
        former = asked.text("former", passwords.LONGEST, default="")
        if passwords.check(asked.workspace, person, former) is None:
            msg = "The present password is wrong."
            raise UserError(msg, hint="If you forgot it, ask the staff of your course for a link.")
    if asked.text("new", passwords.LONGEST) != asked.text("again", passwords.LONGEST):
        msg = "The two new passwords differ."
        raise UserError(msg)
    passwords.set_password(asked.workspace, person, asked.text("new", passwords.LONGEST))
    sessions.end(asked.workspace, person)
    return signed_in(asked, person, SignedInBy.PASSWORD, "/")


def _asks_former(asked: Asked) -> bool:
    by_link = asked.visitor.signed_in_by is SignedInBy.LINK
    return not by_link and passwords.has_password(asked.workspace, asked.visitor.person)


ROUTES = (
    Page(path=_PATH, endpoint=form, scope=Scope.SELF),
    Page(path=_PATH, endpoint=change, scope=Scope.SELF, methods=("POST",), rate=SIGN_IN),
)
