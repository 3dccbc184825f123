"""One line and one count for each request: its page, never its address, which may hold a secret."""

import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grader.logs import Event, log
from grader.portal.metrics import RequestCounts

UNKNOWN = "unknown"
"""What the log calls an address without a page."""


class AccessLog:
    """Logs method, page, status and time. ``state["page"]`` of the request is the path of its page in the table."""

    def __init__(self, app: ASGIApp, *, counts: RequestCounts) -> None:
        self._app = app
        self._counts = counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.monotonic(), 0

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = int(message["status"])
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:
            page = scope.get("state", {}).get("page", UNKNOWN)
            seconds = time.monotonic() - began
            milliseconds = round(seconds * 1000, 1)
            self._counts.add(page, status, seconds)
            log(
                Event.PAGE_ANSWERED,
                method=scope["method"],
                page=page,
                status=status,
                milliseconds=milliseconds,
            )
