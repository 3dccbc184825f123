"""The course system, for staff: what is connected, grades on their way, and the roster."""

from starlette.responses import Response

from grader.course.lti import members, pushing
from grader.course.lti.addresses import launch_url
from grader.course.lti.client import lti_client
from grader.course.lti.overview import overview
from grader.course.roster import CHANGE_CODES
from grader.policy.access import Scope
from grader.portal.answers import page, redirect
from grader.portal.asked import Asked
from grader.portal.page import Page

PATH = "/course-system"

_STATE_CODES = {
    "waiting": "lti-state-waiting",
    "sending": "lti-state-sending",
    "sent": "lti-state-sent",
    "refused": "lti-state-refused",
}

_EVENT_CODES = {
    "wanted": "lti-event-wanted",
    "sent": "lti-event-sent",
    "failed": "lti-event-failed",
    "refused": "lti-event-refused",
    "retried": "lti-event-retried",
}


def show(asked: Asked) -> Response:
    """What is connected, what is on its way, and what happened."""
    seen = overview(asked.workspace)
    return page(asked, "course_system.html.j2", seen=seen, states=_STATE_CODES, kinds=_EVENT_CODES)


def push(asked: Asked) -> Response:
    """Send grades now, also those that were refused if staff ask for it."""
    retry = asked.ticked("retry")
    pushing.push(asked.workspace, lti_client(), launch_url(asked.workspace), retry=retry)
    return redirect(asked, PATH)


def preview(asked: Asked) -> Response:
    """What the rosters of the connected courses change here."""
    found = members.import_members(asked.workspace, lti_client(), dry_run=True)
    return page(asked, "lti_roster.html.j2", rosters=found, changes=CHANGE_CODES)


def apply(asked: Asked) -> Response:
    """Import the rosters."""
    members.import_members(asked.workspace, lti_client())
    return redirect(asked, PATH)


ROUTES = (
    Page(path=PATH, endpoint=show, scope=Scope.MANAGE_COURSE, label="lti-page"),
    Page(path=f"{PATH}/push", endpoint=push, scope=Scope.MANAGE_COURSE, methods=("POST",)),
    Page(path=f"{PATH}/roster", endpoint=preview, scope=Scope.MANAGE_COURSE, methods=("POST",)),
    Page(path=f"{PATH}/roster/apply", endpoint=apply, scope=Scope.MANAGE_COURSE, methods=("POST",)),
)
