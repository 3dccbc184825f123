"""The API about where an attempt is, as a stream of events."""

from collections.abc import AsyncIterator

import msgspec
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from grader.messages import Speech
from grader.portal.api.attempt_documents import line_state, state_of
from grader.portal.api.attempts import READERS, viewed
from grader.portal.api.route import Media, Route
from grader.portal.asked import Asked

_PING_SECONDS = 15
"""How often a sign of life comes where nothing changes."""


def follow_attempt(asked: Asked) -> Response:
    """The state of an attempt and its changes as server-sent events `state`; the last event is `end`."""
    attempt = viewed(asked).line.id
    return EventSourceResponse(_events(asked, attempt), ping=_PING_SECONDS)


async def _events(asked: Asked, attempt: int) -> AsyncIterator[ServerSentEvent]:
    speech = Speech(asked.visitor.language)
    async for live in asked.server.live.follow(asked.workspace, attempt):
        state = state_of(live, speech)
        if state.final:
            state = await run_in_threadpool(lambda: line_state(viewed(asked).line, speech))
        yield ServerSentEvent(event="state", data=msgspec.json.encode(state).decode())
    yield ServerSentEvent(event="end", data="end")


ROUTES = (
    Route(
        path="/attempts/{attempt}/events",
        endpoint=follow_attempt,
        scopes=READERS,
        gives=Media(types=("text/event-stream",)),
    ),
)
