"""The server that a user is logged in to, and the token, in a file of the user's configuration folder.

Only the user can read the file (mode 0600), as with the keys of ``ssh``.
"""

import stat
from dataclasses import dataclass
from pathlib import Path

import msgspec
import platformdirs

from grader.client.private_file import write_private
from grader.errors import UserError
from grader.model.text import printable

_READABLE_BY_OTHERS = stat.S_IRWXG | stat.S_IRWXO


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """A server, the token for it, and the person who logged in."""

    server: str
    token: str
    person: str


def login_file() -> Path:
    """Where the login is kept; the file may not exist."""
    return platformdirs.user_config_path("grader") / "login.json"


def save(login: Login) -> Path:
    """Keep ``login`` in the place of any other. Returns: the file. Raises: ``UserError`` if it cannot be written."""
    path = login_file()
    write_private(path, msgspec.json.encode(login))
    return path


def load() -> Login:
    """The login of this user. Raises: ``UserError`` if there is none, or if others may read the token."""
    path = login_file()
    try:
        data, mode = path.read_bytes(), path.stat().st_mode
    except FileNotFoundError as error:
        msg = "You are logged in to no server."
        raise UserError(msg, hint="Run `grader login URL`.") from error
    except OSError as error:
        msg = f"{printable(str(path))} cannot be read: {error.strerror}."
        raise UserError(msg, hint="Run `grader login URL`.") from error
    if mode & _READABLE_BY_OTHERS:
        msg = f"Other users may read the token in {printable(str(path))}."
        raise UserError(msg, hint="Run `grader logout` and `grader login URL`, which replaces the token.")
    try:
        return msgspec.json.decode(data, type=Login)
    except msgspec.DecodeError as error:
        msg = f"{printable(str(path))} is damaged."
        raise UserError(msg, hint="Run `grader login URL`.") from error


def forget() -> None:
    """Remove the login of this user, if there is one. Raises: ``UserError`` if it stays."""
    path = login_file()
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        msg = f"{printable(str(path))} cannot be removed: {error.strerror}."
        raise UserError(msg, hint="Remove it yourself.") from error
