"""Submit to a server and watch an attempt, through lost connections."""

from collections.abc import Callable, Mapping
from urllib.parse import quote

import msgspec

from grader.api.attempts import Attempt, AttemptPage, Labs, State
from grader.client.connection import Connection
from grader.client.credentials import Login
from grader.client.errors import RefusedError, UnreachableError
from grader.client.pending import PendingSubmission
from grader.client.retry import Patience
from grader.report.public_leaderboard import Leaderboards

Lost = Callable[[UnreachableError], None]
"""Called whenever the server does not answer, before the next try."""


class CourseServer:
    """The course on the server that ``login`` names; texts come in ``language``."""

    def __init__(self, login: Login, language: str, lost: Lost) -> None:
        self._login = login
        self._lost = lost
        self._connection = Connection(login.server, login.token, language)

    def labs(self) -> Labs:
        """The labs of the course."""
        return self._patience().until_answered(lambda: self._connection.get("/labs", Labs))

    def submit(self, lab: str, files: Mapping[str, bytes]) -> Attempt:
        """Submit ``files`` by name for ``lab``, once however often the connection is lost."""
        pending = PendingSubmission(self._login, lab, files)
        key = pending.key()
        fields = {"lab": lab}
        try:
            attempt = self._patience().until_answered(
                lambda: self._connection.post_files("/attempts", fields, files, key, Attempt)
            )
        except RefusedError:
            pending.answered()
            raise
        pending.answered()
        return attempt

    def attempt(self, attempt: int) -> Attempt:
        """One attempt."""
        return self._patience().until_answered(lambda: self._connection.get(f"/attempts/{attempt}", Attempt))

    def attempts(self, lab: str | None = None) -> AttemptPage:
        """The newest attempts."""
        query = {} if lab is None else {"lab": lab}
        return self._patience().until_answered(lambda: self._connection.get("/attempts", AttemptPage, query))

    def watch(self, attempt: int, show: Callable[[State], None]) -> State:
        """Pass the states of an attempt to ``show`` until it has ended, through lost connections. Returns: the last."""
        patience = self._patience()
        while True:
            try:
                for event in self._connection.events(f"/attempts/{attempt}/events"):
                    patience.reset()
                    if event.kind == "state":
                        state = msgspec.json.decode(event.data, type=State)
                        show(state)
                        if state.final:
                            return state
                patience.wait(UnreachableError(self._login.server, "the connection ended"))
            except UnreachableError as error:
                patience.wait(error)

    def report(self, attempt: int, columns: int) -> str:
        """The report of an attempt for a terminal of ``columns``, with its colours."""
        query = {"columns": str(columns)}
        return self._patience().until_answered(
            lambda: self._connection.text(f"/attempts/{attempt}/report", "text/plain", query)
        )

    def report_page(self, attempt: int) -> str:
        """The report of an attempt as a page."""
        return self._patience().until_answered(
            lambda: self._connection.text(f"/attempts/{attempt}/report", "text/html")
        )

    def board(self, lab: str) -> Leaderboards:
        """The boards of a lab."""
        return self._patience().until_answered(
            lambda: self._connection.get(f"/labs/{quote(lab, safe='')}/board", Leaderboards)
        )

    def _patience(self) -> Patience:
        return Patience(self._lost)
