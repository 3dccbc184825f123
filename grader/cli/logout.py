"""``grader logout``: give the token back."""

from grader.cli.console import terminal
from grader.cli.lazy_group import command_app
from grader.client import credentials
from grader.client.connection import Connection
from grader.client.errors import RefusedError, UnreachableError
from grader.course.workspace import open_workspace
from grader.model.reason import reason

EXAMPLE = "Example: `grader logout`"


def logout() -> None:
    """Log out of the server of your course: the token is revoked and removed from this machine."""
    shown = terminal(open_workspace().config)
    login = credentials.load()
    try:
        Connection(login.server, login.token, shown.speech.language).delete("/tokens/current")
        said = reason("logged-out", server=login.server)
    except RefusedError:  # revoked or expired before
        said = reason("logged-out", server=login.server)
    except UnreachableError:
        said = reason("logged-out-here", server=login.server)
    credentials.forget()
    shown.note(said)


app = command_app(logout, EXAMPLE)
