"""The lines of ``grader.toml`` that change one lab: read them, and put others in their place."""

import re
import tomllib
from collections.abc import Iterator

from grader.config.document import document_of
from grader.config.table import Table
from grader.errors import UserError

_HEADER = re.compile(r"^\s*\[")
_SECTION = "labs"
_DOCUMENTED = "docs/reference/grader-toml.md explains [labs.<name>]."


def overlay_lines(text: str, lab: str) -> str:
    """The part of ``text``, a ``grader.toml``, that is about ``lab``; empty if there is none."""
    return "".join(line for line, own in _by_owner(text, lab) if own)


def overlay_in(lines: str, lab: str) -> Table:
    """The table of ``lab`` that ``lines`` write, which may be empty. Raises: ``UserError``, one line with its place."""
    table = document_of("the text", lines, _DOCUMENTED)
    others = [*(key for key in table.content if key != _SECTION), *_other_labs(table, lab)]
    if others:
        msg = f"the text may only have [{_SECTION}.{lab}] and tables inside it, not {others[0]}."
        raise UserError(table.located((others[0],), msg), hint=_DOCUMENTED)
    content = table.content.get(_SECTION, {}).get(lab, {})
    return Table(file=table.file, content=content, path=(_SECTION, lab), lines=table.lines)


def with_overlay(text: str, lab: str, lines: str) -> str:
    """``text`` with ``lines`` in place of what is about ``lab``; every other line stays.

    Raises: ``UserError`` if the file writes the table in a way that cannot be replaced line by line.
    """
    kept = "".join(line for line, own in _by_owner(text, lab) if not own).rstrip("\n")
    added = lines.strip("\n")
    made = "\n\n".join(part for part in (kept, added) if part) + "\n"
    wanted = overlay_in(lines, lab).content
    if not _differ_only_in(lab, text, made) or tomllib.loads(made).get(_SECTION, {}).get(lab, {}) != wanted:
        msg = f"grader.toml does not write [{_SECTION}.{lab}] as tables of its own."
        raise UserError(msg, hint="Change the file by hand.")
    return made


def _by_owner(text: str, lab: str) -> Iterator[tuple[str, bool]]:
    """Yield each line, and whether it belongs to a table of ``lab``."""
    own = re.compile(rf"""^\s*\[\[?\s*{_SECTION}\s*\.\s*["']?{re.escape(lab)}["']?\s*[.\]]""")
    inside = False
    for line in text.splitlines(keepends=True):
        if _HEADER.match(line):
            inside = own.match(line) is not None
        yield line, inside


def _other_labs(table: Table, lab: str) -> list[str]:
    section = table.content.get(_SECTION, {})
    return [f"{_SECTION}.{key}" for key in section if key != lab] if isinstance(section, dict) else [_SECTION]


def _differ_only_in(lab: str, before: str, after: str) -> bool:
    try:
        return _without(tomllib.loads(before), lab) == _without(tomllib.loads(after), lab)
    except tomllib.TOMLDecodeError:
        return False


def _without(content: dict[str, object], lab: str) -> dict[str, object]:
    section = content.get(_SECTION)
    own = {key: value for key, value in section.items() if key != lab} if isinstance(section, dict) else {}
    return {
        **{key: value for key, value in content.items() if key != _SECTION},
        **({_SECTION: own} if own else {}),
    }
