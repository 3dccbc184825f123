"""A portal for tests: clients that are signed in, over a small course with graded attempts."""

from dataclasses import dataclass
from pathlib import Path

from starlette.applications import Starlette
from starlette.testclient import TestClient

from grader.course.accounts import sessions
from grader.course.workspace import Workspace
from grader.model.signing_in import SignedInBy
from grader.portal.server import Server


@dataclass(frozen=True, kw_only=True)
class Portal:
    """The running application ``app`` of the course in ``folder``; the people are those of ``tools.portal_course``.

    ``visit()`` is a client of nobody, ``visit(ADA)`` one that is signed in as Ada; both follow no redirect.
    ``workspace`` shares the portal's open store, so that a test may call services beside it.
    """

    app: Starlette
    folder: Path

    @property
    def server(self) -> Server:
        """What the requests share."""
        found: Server = self.app.state.server
        return found

    @property
    def workspace(self) -> Workspace:
        """The course with the portal's store."""
        return self.server.workspace

    def visit(self, person: str = "", *, language: str = "") -> TestClient:
        """A client that is signed in as ``person``, with a browser that accepts ``language``."""
        headers = {"Accept-Language": language} if language else {}
        client = TestClient(
            self.app, base_url=self.server.settings.url, follow_redirects=False, headers=headers
        )
        if person:
            secret = sessions.begin(self.workspace, person, SignedInBy.LINK, "a test")
            client.cookies.set("grader-session", secret)
        return client
