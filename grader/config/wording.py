"""Words for the keys and values of a TOML file in messages."""

import difflib
import json
import re
from collections.abc import Iterable
from pathlib import Path

from grader.config.lines import KeyPath
from grader.model.text import printable

_MAX_SHOWN = 40
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def display(path: Path) -> str:
    """``path`` for a message: relative to the current directory if it lies below it."""
    here = Path.cwd()
    return printable(str(path.relative_to(here) if path.is_relative_to(here) else path))


def dotted(path: KeyPath) -> str:
    """``path`` as TOML writes it, such as ``rubric.speed[0].points``."""
    text = ""
    for key in path:
        if isinstance(key, int):
            text += f"[{key}]"
        else:
            text += f"{'.' if text else ''}{key if _BARE_KEY.fullmatch(key) else quoted(key)}"
    return text


def shown(value: object) -> str:
    """A value as TOML writes it; only the kind of an array or a table."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "an array"
    if isinstance(value, dict):
        return "a table"
    return _shortened(str(value))


def quoted(text: str) -> str:
    """``text`` in quotes, shortened and printable."""
    return printable(json.dumps(_shortened(text), ensure_ascii=False))


def one_of(words: Iterable[str]) -> str:
    """``words`` as the end of "must be ..."."""
    return "one of " + ", ".join(quoted(word) for word in words)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The word of ``known`` that is most similar to ``name``, if one is similar."""
    return next(iter(difflib.get_close_matches(name, list(known), n=1)), None)


def _shortened(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}..."
