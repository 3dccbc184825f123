"""Reading ``grader.toml``."""

import dataclasses
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from grader.config.document import read_document
from grader.config.lines import KeyPath
from grader.config.rules import RULE, Rule
from grader.config.settings import OVERLAID, SECTIONS, Config
from grader.config.table import Table
from grader.config.wording import display, dotted, nearest, shown
from grader.errors import UserError

FILE_NAME = "grader.toml"
"""The one configuration file."""

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
        self._table = read_document(path, _DOCUMENTED)

    def config(self) -> Config:
        self._refuse_unknown((), self._table.content, SECTIONS)
        sections = {}
        overlays: dict[str, Table] = {}
        for name, content in self._table.content.items():
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
            key: Table(file=self._table.file, content=value, path=(section, key), lines=self._table.lines)
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
        return UserError(self._table.located(path, problem))
