"""The server that the user is logged in to, and how an attempt on it is watched in a terminal."""

from rich.text import Text

from grader.api.attempts import State
from grader.cli.console import Terminal, out
from grader.cli.exit_codes import VERDICT_CODES
from grader.cli.signals import exit_code
from grader.client import credentials
from grader.client.course_server import CourseServer
from grader.client.errors import UnreachableError
from grader.model.reason import Reason, as_written, reason
from grader.model.verdict import Verdict


def logged_in(shown: Terminal) -> CourseServer:
    """The server of the user's login. Raises: ``UserError`` if there is none."""
    login = credentials.load()

    def lost(error: UnreachableError) -> None:
        shown.note(reason("connection-lost", server=login.server, why=error.why))

    return CourseServer(login, shown.speech.language, lost)


def watched(server: CourseServer, attempt: int, shown: Terminal, *notes: Reason) -> int:
    """Print ``notes``, show where an attempt is until it has ended, then its report. Returns: its verdict's exit code.

    Ctrl-C ends the watching alone: the attempt goes on.
    """
    try:
        for note in notes:
            shown.note(note)
        with shown.status(reason("attempt-watched", attempt=attempt)) as show:
            last = server.watch(attempt, lambda state: show(as_written(state.text)))
    except KeyboardInterrupt as stopped:
        shown.note(reason("attempt-goes-on", command=f"`grader status {attempt} --watch`"))
        return exit_code(stopped)
    return reported(server, last, shown)


def reported(server: CourseServer, last: State, shown: Terminal) -> int:
    """Print the report of an attempt that has ended as ``last`` says. Returns: the exit code of its verdict."""
    if last.verdict is None:
        shown.note(as_written(last.text))
        return VERDICT_CODES[Verdict.NOT_GRADABLE]
    out.print(Text.from_ansi(server.report(last.attempt, out.width)))
    return VERDICT_CODES[last.verdict]
