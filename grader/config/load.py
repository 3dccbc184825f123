"""Reading ``grader.toml``."""

import dataclasses
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from grader.config.lines import KeyPath, key_lines
from grader.config.rules import RULE, Rule
from grader.config.settings import OVERLAID, SECTIONS, Config
from grader.config.table import Table
from grader.config.wording import display, dotted, nearest, shown
from grader.errors import UserError
from grader.model.text import printable

FILE_NAME = "grader.toml"
"""The one configuration file."""

_MAX_BYTES = 1 << 20
_SYNTAX_LOCATION = re.compile(r"\s*\(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$")
_DOCUMENTED = "docs/reference/grader-toml.md lists every setting."


def load(start: Path | None = None) -> Config:
    """The configuration that applies to ``start``.

    ``start`` is a configuration file, or the folder to look for ``grader.toml`` in and then upwards from; the
    current directory by default. Without such a file every setting has its default. A folder that students can
    write to must not be the start: the file names code to run.

    Raises: ``UserError``, one line with file, line, key, what was found and what was expected.
    """
    try:
        base = Path.cwd() if start is None else start.absolute()
    except OSError as error:
        msg = f"The current directory cannot be used: {error.strerror}."
        raise UserError(msg, hint="Change to a directory that exists.") from error
    try:
        source = _source(base)
    except OSError as error:
        msg = f"{FILE_NAME} cannot be looked for in {display(base)} and above: {error.strerror}."
        raise UserError(msg) from error
    return Config(base=base) if source is None else _Document(source).config()


def _source(start: Path) -> Path | None:
    """The file that ``start`` is or leads to. Raises: ``UserError``, ``OSError``."""
    if start.is_dir():
        return next(
            (path for folder in (start, *start.parents) if (path := folder / FILE_NAME).is_file()), None
        )
    if not start.is_file():
        msg = f"There is no configuration file {display(start)}."
        raise UserError(msg)
    return start


class _Document:
    """One file being read: its text and the lines of its keys."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._name = display(path)
        self._text = self._decoded(self._bytes())
        self._root, self._lines = self._parsed()

    def config(self) -> Config:
        self._refuse_unknown((), self._root, SECTIONS)
        sections = {}
        overlays: dict[str, Table] = {}
        for name, content in self._root.items():
            if not isinstance(content, dict):
                raise self._mismatch((name,), f"a table, written [{name}]", content)
            own = content
            if name == OVERLAID:
                overlays = self._overlays(name, content)
                own = {key: value for key, value in content.items() if key not in overlays}
            sections[name] = self._section(name, own)
        return Config(base=self._path.parent, source=self._path, overlays=overlays, **sections)

    def _overlays(self, section: str, content: Mapping[str, Any]) -> dict[str, Table]:
        """The tables inside ``section`` that are no settings: one for each lab that the course changes."""
        settings = {field.name for field in dataclasses.fields(SECTIONS[section])}
        return {
            key: Table(file=self._name, content=value, path=(section, key), lines=self._lines)
            for key, value in content.items()
            if isinstance(value, dict) and key not in settings
        }

    def _section(self, name: str, content: Mapping[str, Any]) -> Any:
        fields = {field.name: field for field in dataclasses.fields(SECTIONS[name])}
        self._refuse_unknown((name,), content, fields)
        values = {
            key: self._value((name, key), value, fields[key].metadata[RULE]) for key, value in content.items()
        }
        # A word becomes a member of its enumeration, and a whole number a float if the setting is one.
        defaults = SECTIONS[name]()
        typed = {key: type(getattr(defaults, key))(value) for key, value in values.items()}
        return SECTIONS[name](**typed)

    def _value(self, path: KeyPath, value: Any, rule: Rule) -> Any:
        if not rule.accepts(value):
            raise self._mismatch(path, str(rule), value)
        if rule.item is None:
            return value
        if isinstance(value, dict):
            return {key: self._value((*path, key), item, rule.item) for key, item in value.items()}
        return tuple(self._value((*path, index), item, rule.item) for index, item in enumerate(value))

    def _refuse_unknown(self, path: KeyPath, found: Iterable[str], known: Iterable[str]) -> None:
        known = list(known)
        for key in found:
            if key in known:
                continue
            near = nearest(key, known)
            full = dotted((*path, key))
            hint = f"did you mean {dotted((*path, near))}?" if near else f"known here: {', '.join(known)}."
            raise self._error((*path, key), f"there is no setting {full}; {hint}")

    def _mismatch(self, path: KeyPath, expected: str, found: object) -> UserError:
        return self._error(path, f"{dotted(path)} must be {expected}, not {shown(found)}.")

    def _error(self, path: KeyPath, problem: str) -> UserError:
        return self._at(self._lines[path], problem)

    def _at(self, line: int, problem: str) -> UserError:
        return UserError(f"{self._name} line {line}: {problem}")

    def _bytes(self) -> bytes:
        try:
            with self._path.open("rb") as file:
                data = file.read(_MAX_BYTES + 1)
        except OSError as error:
            msg = f"{self._name} cannot be read: {error.strerror}."
            raise UserError(msg) from error
        if len(data) > _MAX_BYTES:
            msg = f"{self._name} is larger than 1 MiB, the most for a configuration."
            raise UserError(msg, hint=_DOCUMENTED)
        return data

    def _decoded(self, data: bytes) -> str:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            found = f"not UTF-8 (byte 0x{data[error.start]:02x}); save the file as UTF-8."
            raise self._at(line, found) from error
        return text.replace("\r\n", "\n")

    def _parsed(self) -> tuple[dict[str, Any], dict[KeyPath, int]]:
        try:
            return tomllib.loads(self._text), key_lines(self._text)
        except RecursionError as error:
            msg = f"{self._name} is nested too deeply."
            raise UserError(msg, hint=_DOCUMENTED) from error
        except tomllib.TOMLDecodeError as error:
            raise self._syntax_error(str(error)) from error
        except ValueError as error:
            # int() refuses to read thousands of digits, and the parser lets its error through.
            msg = f"{self._name} holds a number with thousands of digits."
            raise UserError(msg, hint=_DOCUMENTED) from error

    def _syntax_error(self, message: str) -> UserError:
        location = _SYNTAX_LOCATION.search(message)
        if location is not None and location["line"]:
            what = f"{message[: location.start()]} (column {location['column']})"
            return self._at(int(location["line"]), f"this is not TOML: {printable(what)}.")
        last = self._text.rstrip("\n").count("\n") + 1
        what = message[: location.start()] if location is not None else message
        return self._at(last, f"this is not TOML (found at the end of the file): {printable(what)}.")
