"""How far an attempt is: as a stream of events for the page, and as JSON for those who ask again and again."""

from collections.abc import AsyncIterator
from http import HTTPStatus

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.responses import JSONResponse, Response

from grader.course.attempt_view import find_attempt
from grader.course.live_state import LiveState, live_state
from grader.course.records import Records
from grader.errors import NotFoundError
from grader.messages import Speech
from grader.policy.access import Scope
from grader.portal.asked import Asked
from grader.portal.page import Page
from grader.portal.templating import render

_END = "end"


def state(asked: Asked) -> Response:
    """The state as JSON; an unchanged one is not sent again."""
    found = _state(asked)
    tag = f'"{found.version}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if asked.headers.get("if-none-match") == tag:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return JSONResponse(_json(found, Speech(asked.visitor.language)), headers=headers)


def events(asked: Asked) -> Response:
    """The state and its changes; the last event is named ``end``."""
    attempt = _state(asked).attempt
    return EventSourceResponse(_events(asked, attempt))


async def _events(asked: Asked, attempt: int) -> AsyncIterator[ServerSentEvent]:
    async for found in asked.server.live.follow(asked.workspace, attempt):
        yield ServerSentEvent(data=render(asked, "parts/live.html.j2", state=found), id=found.version)
    yield ServerSentEvent(event=_END, data=_END)


def _state(asked: Asked) -> LiveState:
    with Records(asked.workspace) as records:
        recorded = find_attempt(records, int(asked.path["attempt"]), asked.visitor.person)
        found = live_state(records, recorded.id)
    if found is None:
        msg = "The attempt was removed."
        raise NotFoundError(msg)
    return found


def _json(found: LiveState, speech: Speech) -> dict[str, object]:
    return {
        "attempt": found.attempt,
        "phase": found.phase.value,
        "final": found.phase.is_final,
        "text": speech(found.said),
        "notes": [speech(each) for each in found.notes],
        "ahead": found.ahead,
        "seconds": found.seconds,
    }


ROUTES = (
    Page(path="/attempts/{attempt:int}/state", endpoint=state, scope=Scope.READ_OWN),
    Page(path="/attempts/{attempt:int}/events", endpoint=events, scope=Scope.READ_OWN),
)
