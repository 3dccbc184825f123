"""The portal as an ASGI application."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response

from grader.course.live_workspace import LiveWorkspace
from grader.course.lti.pusher import Pusher
from grader.course.workspace import Workspace, open_workspace
from grader.execution.starter import end_with_starter
from grader.logs import configure_by
from grader.portal.class_keeper import ClassKeeper
from grader.portal.middleware.access_log import AccessLog
from grader.portal.middleware.headers import SecurityHeaders
from grader.portal.router import route, unknown
from grader.portal.server import Server
from grader.portal.site import ROUTES


def create_app(workspace: Workspace) -> Starlette:
    """The portal of the course in ``workspace``. Its store stays open until the application shuts down.

    Raises: ``UserError`` if the store cannot be opened.
    """
    server = Server(course=LiveWorkspace(workspace.sharing_store()), pages=ROUTES)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        with server.shared_counts, ClassKeeper(server.course), Pusher(server.course):
            yield
        server.workspace.close()

    async def not_found(request: Request, _error: Exception) -> Response:
        return await run_in_threadpool(unknown, request, server)

    app = Starlette(
        routes=[route(page, server) for page in ROUTES],
        middleware=[
            Middleware(AccessLog, counts=server.counts),
            Middleware(SecurityHeaders, is_secure=server.jar.is_secure),
        ],
        exception_handlers={404: not_found, 405: not_found},
        lifespan=lifespan,
    )
    app.state.server = server
    return app


def app_here() -> Starlette:
    """The portal of the course in the current directory, for a server process, which logs as the environment says.

    Raises: ``UserError``.
    """
    end_with_starter()
    configure_by(os.environ)
    return create_app(open_workspace())
