"""Sign out: the session ends on the server, and its cookie goes."""

from starlette.responses import Response

from grader.course.accounts import sessions
from grader.policy.access import Scope
from grader.portal.answers import redirect
from grader.portal.asked import Asked
from grader.portal.page import Page


def sign_out(asked: Asked) -> Response:
    """End this session."""
    sessions.end(asked.workspace, asked.visitor.person, asked.visitor.session)
    answer = redirect(asked, "/sign-in")
    asked.server.jar.end_session(answer)
    return answer


ROUTES = (Page(path="/sign-out", endpoint=sign_out, scope=Scope.SELF, methods=("POST",)),)
