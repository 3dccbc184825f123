"""Sign in by a service: go there, and come back."""

import msgspec
from starlette.responses import RedirectResponse, Response

from grader.course.accounts import oidc
from grader.course.accounts.oidc_provider import PendingSignIn
from grader.model.signing_in import SignedInBy
from grader.portal.answers import own_path
from grader.portal.asked import Asked
from grader.portal.page import Page
from grader.portal.pages.sign_in import signed_in
from grader.portal.rates import SIGN_IN

_START, _BACK = "/sign-in/oidc", "/sign-in/oidc/back"
_SECONDS = 600


def start(asked: Asked) -> Response:
    """Send the browser to the service. Its cookie keeps what the answer must fit."""
    then = own_path(asked.query.get("then", "/"), asked.server.origin)
    address, pending = oidc.begin(asked.workspace, _back(asked), then)
    answer = RedirectResponse(address, status_code=303)
    asked.server.jar.keep_sign_in(answer, msgspec.json.encode(pending).hex(), _SECONDS)
    return answer


def back(asked: Asked) -> Response:
    """Sign in whom the service names, and forget the sign-in, so that its answer is of no use again."""
    answer = f"{_back(asked)}?{asked.query_text}"
    pending = _pending(asked.cookies.sign_in)
    person = oidc.finish(asked.workspace, pending, _back(asked), answer, asked.query.get("state", ""))
    response = signed_in(asked, person, SignedInBy.OIDC, pending.then if pending else "/")
    asked.server.jar.keep_sign_in(response, "", 0)
    return response


def _pending(cookie: str) -> PendingSignIn | None:
    try:
        return msgspec.json.decode(bytes.fromhex(cookie), type=PendingSignIn)
    except ValueError:
        return None


def _back(asked: Asked) -> str:
    return f"{asked.server.settings.url.rstrip('/')}{_BACK}"


ROUTES = (
    Page(path=_START, endpoint=start, scope=None, rate=SIGN_IN),
    Page(path=_BACK, endpoint=back, scope=None, rate=SIGN_IN),
)
