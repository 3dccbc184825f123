"""``grader login``: get a token for the server of a course."""

import socket
import sys
from pathlib import Path
from typing import Annotated

import typer

from grader.api.sign_in import Me
from grader.cli.console import Terminal, terminal
from grader.cli.lazy_group import command_app
from grader.client import credentials, device_login
from grader.client.address import is_private, server_address
from grader.client.connection import Connection
from grader.client.credentials import Login
from grader.course.workspace import open_workspace
from grader.errors import UserError
from grader.model.reason import reason
from grader.model.text import printable

EXAMPLE = "Example: `grader login https://grader.example.org`"

_STANDARD_INPUT = Path("-")


def login(
    url: Annotated[str, typer.Argument(metavar="URL", help="The address of the course's server.")],
    *,
    token: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Read a token from this file instead; - is standard input."),
    ] = None,
) -> None:
    """Log in to the server of a course: confirm a code in the browser where you are signed in.

    The token is kept in your configuration folder, where only you can read it.
    """
    shown = terminal(open_workspace().config)
    server = server_address(url)
    if not is_private(server):
        shown.warn(reason("login-not-encrypted", server=server))
    secret = _confirmed(server, shown) if token is None else _read(token)
    me = Connection(server, secret, shown.speech.language).get("/me", Me)
    file = credentials.save(Login(server=server, token=secret, person=me.person))
    shown.note(reason("logged-in", server=server, name=me.name or me.person, file=str(file)))


def _confirmed(server: str, shown: Terminal) -> str:
    connection = Connection(server, language=shown.speech.language)
    code = device_login.start(connection, socket.gethostname())
    shown.note(reason("confirm-device", link=code.link, code=code.user_code))
    with shown.status(reason("device-waiting")):
        return device_login.wait(connection, code).secret


def _read(file: Path) -> str:
    try:
        text = sys.stdin.read() if file == _STANDARD_INPUT else file.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as error:
        msg = f"{printable(str(file))} holds no token that can be read."
        raise UserError(msg, hint="Name the file of a token, or - for standard input.") from error
    secret = text.strip()
    if not secret or not secret.isascii() or not secret.isprintable() or " " in secret:
        msg = "There is no token."
        raise UserError(msg, hint="Make one on the server's page /me, and give it with --token.")
    return secret


app = command_app(login, EXAMPLE)
