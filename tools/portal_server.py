"""The portal in a thread of this process, for browsers."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from grader.config import load
from grader.course.accounts import sessions
from grader.course.workspace import Workspace
from grader.model.signing_in import SignedInBy
from grader.portal.app import create_app


@dataclass(frozen=True, kw_only=True)
class Site:
    """A portal at ``url``."""

    url: str
    app: Starlette

    @property
    def workspace(self) -> Workspace:
        """The course, with the store that the portal has open."""
        found: Workspace = self.app.state.server.workspace
        return found

    def session(self, person: str) -> str:
        """The secret of a new session of ``person``, for the cookie ``grader-session``."""
        return sessions.begin(self.workspace, person, SignedInBy.LINK, "a browser")


@contextmanager
def serving(folder: Path, port: int = 0) -> Iterator[Site]:
    """Context manager: the portal of the course in ``folder``, at ``port`` or at a free one."""
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", port))
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        config = load(folder)
        app = create_app(Workspace(config=replace(config, portal=replace(config.portal, url=url))))
        server = uvicorn.Server(
            uvicorn.Config(app, log_level="error", access_log=False, timeout_graceful_shutdown=1)
        )
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        try:
            yield Site(url=url, app=app)
        finally:
            server.should_exit = True
            thread.join(10)
