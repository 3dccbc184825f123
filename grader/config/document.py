"""Read a TOML file that a person wrote, with errors that name the line."""

import re
import tomllib
from pathlib import Path

from grader.config.lines import key_lines
from grader.config.table import Table
from grader.config.wording import display
from grader.errors import UserError
from grader.model.text import printable

_MAX_BYTES = 1 << 20
_SYNTAX_LOCATION = re.compile(r"\s*\(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$")


def read_document(path: Path, documented: str) -> Table:
    """The whole file ``path`` as a table. ``documented`` is a hint: where the reader finds what may stand in it.

    Raises: ``UserError``, one line with file and line.
    """
    name = display(path)
    return document_of(name, _decoded(name, _bytes(path, name, documented)), documented)


def document_of(name: str, text: str, documented: str) -> Table:
    """``text`` as ``read_document`` reads the file ``name``. Raises: ``UserError``, one line with file and line."""
    try:
        return Table(file=name, content=tomllib.loads(text), lines=key_lines(text))
    except RecursionError as error:
        msg = f"{name} is nested too deeply."
        raise UserError(msg, hint=documented) from error
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(name, text, str(error)) from error
    except ValueError as error:
        # int() refuses to read thousands of digits, and the parser lets its error through.
        msg = f"{name} holds a number with thousands of digits."
        raise UserError(msg, hint=documented) from error


def _bytes(path: Path, name: str, documented: str) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except OSError as error:
        msg = f"{name} cannot be read: {error.strerror}."
        raise UserError(msg) from error
    if len(data) > _MAX_BYTES:
        msg = f"{name} is larger than 1 MiB, the most for a configuration."
        raise UserError(msg, hint=documented)
    return data


def _decoded(name: str, data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = f"not UTF-8 (byte 0x{data[error.start]:02x}); save the file as UTF-8."
        raise _at(name, line, found) from error
    return text.replace("\r\n", "\n")


def _syntax_error(name: str, text: str, message: str) -> UserError:
    location = _SYNTAX_LOCATION.search(message)
    if location is not None and location["line"]:
        what = f"{message[: location.start()]} (column {location['column']})"
        return _at(name, int(location["line"]), f"this is not TOML: {printable(what)}.")
    last = text.rstrip("\n").count("\n") + 1
    what = message[: location.start()] if location is not None else message
    return _at(name, last, f"this is not TOML (found at the end of the file): {printable(what)}.")


def _at(name: str, line: int, problem: str) -> UserError:
    return UserError(f"{name} line {line}: {problem}")
