"""Choose a language: for the account, or for a browser without one."""

from starlette.responses import Response

from grader.course.accounts.members import choose_language
from grader.messages import LANGUAGES
from grader.portal.answers import redirect
from grader.portal.asked import Asked
from grader.portal.page import Page


def choose(asked: Asked) -> Response:
    """Keep the chosen language, and go back to where it was chosen."""
    language = asked.choice("language", {code: code for code in LANGUAGES})
    if asked.visitor.is_known:
        choose_language(asked.workspace, asked.visitor.person, language)
    answer = redirect(asked, asked.text("then", 500, default="/"))
    asked.server.jar.keep_language(answer, language)
    return answer


ROUTES = (Page(path="/language", endpoint=choose, scope=None, methods=("POST",)),)
