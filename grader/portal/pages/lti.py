"""The way in from a course system: a login that it announces, and the launch that follows."""

from datetime import timedelta

from starlette.responses import JSONResponse, RedirectResponse, Response

from grader.course.accounts import links
from grader.course.lti.addresses import KEYS, LAUNCH, LOGIN, OPEN, launch_url
from grader.course.lti.client import lti_client
from grader.course.lti.launching import LaunchAnswer, arrive, begin_login
from grader.course.lti.registering import published_keys
from grader.lms.lti.login import Announced
from grader.model.reason import reason
from grader.model.signing_in import SignedInBy
from grader.portal.answers import page, problem
from grader.portal.asked import Asked
from grader.portal.launched import in_course_system, is_in_frame, keep_state, kept_state
from grader.portal.page import Page
from grader.portal.pages.sign_in import signed_in
from grader.portal.rates import SIGN_IN

_TOKEN_LIMIT = 64 * 1024
"""Characters of a launch; names of long courses and many roles fit."""

_TICKET_LIFE = timedelta(minutes=10)


@in_course_system
def login(asked: Asked) -> Response:
    """Send the browser back to the course system, which knows the person."""
    announced = Announced(
        issuer=_said(asked, "iss"),
        login_hint=_said(asked, "login_hint"),
        client_id=_said(asked, "client_id"),
        message_hint=_said(asked, "lti_message_hint"),
    )
    begun = begin_login(asked.workspace, announced, launch_url(asked.workspace), asked.now)
    answer = RedirectResponse(begun.url, status_code=302)
    keep_state(answer, begun.state)
    return answer


@in_course_system
def launch(asked: Asked) -> Response:
    """Let the person in, or let staff choose the lab of a new link."""
    state = asked.text("state", default="")
    answer = LaunchAnswer(
        token=asked.text("id_token", _TOKEN_LIMIT, default=""), state=state, cookie=kept_state(asked, state)
    )
    arrival = arrive(asked.workspace, lti_client(), answer, launch_url(asked.workspace), asked.now)
    if arrival.choice is not None:
        return page(asked, "lti_choose.html.j2", choice=arrival.choice)
    if is_in_frame(asked):
        ticket = links.invite(asked.workspace, arrival.person, life=_TICKET_LIFE).secret
        return page(asked, "lti_open.html.j2", ticket=ticket, lab=arrival.lab, action=OPEN)
    return signed_in(asked, arrival.person, SignedInBy.LTI, _start(arrival.lab))


def opened(asked: Asked) -> Response:
    """The person of a launch in a frame opens a window of their own."""
    person = links.use(asked.workspace, asked.text("ticket"))
    if person is None:
        return problem(asked, 410, reason("lti-ticket-gone"))
    return signed_in(asked, person, SignedInBy.LTI, _start(asked.text("lab", default="")))


def keys(asked: Asked) -> Response:
    """Our public keys, for course systems."""
    return JSONResponse(published_keys(asked.workspace), headers={"Cache-Control": "max-age=600"})


def _said(asked: Asked, name: str) -> str:
    """What the course system says in the address or in a form; it may do either."""
    return asked.text(name, _TOKEN_LIMIT, default=asked.query.get(name, ""))


def _start(lab: str) -> str:
    return f"/labs/{lab}" if lab else "/"


ROUTES = (
    Page(path=LOGIN, endpoint=login, scope=None),
    Page(path=LOGIN, endpoint=login, scope=None, methods=("POST",), cross_site=True),
    Page(path=LAUNCH, endpoint=launch, scope=None, methods=("POST",), cross_site=True),
    Page(path=OPEN, endpoint=opened, scope=None, methods=("POST",), rate=SIGN_IN),
    Page(path=KEYS, endpoint=keys, scope=None),
)
