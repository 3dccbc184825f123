"""Names that look alike: one face for all of them, and a mark that keeps them apart.

The faces follow the skeletons of Unicode Technical Standard 39, regardless of case. ``tools.confusables`` makes the
table.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from grader.model.text import natural_key

TABLE = Path(__file__).with_name("confusables.tsv")
"""A line for each set of characters that look alike: the text that stands for all, a tab, and the characters."""


def face(name: str) -> str:
    """A text that is equal for names that look alike, as with Latin and Cyrillic letters, or ``1`` and ``l``."""
    while (mapped := _mapped(name)) != name:
        name = mapped
    return name


def _mapped(name: str) -> str:
    """``name`` a step closer to its face: a fold of case may lead to another character of the table."""
    composed = unicodedata.normalize("NFKC", name)
    mapped = "".join(_table().get(char, char) for char in unicodedata.normalize("NFKD", composed))
    shown = "".join(char for char in mapped.casefold() if unicodedata.category(char) != "Cf")
    return " ".join(unicodedata.normalize("NFKD", shown).split())


def alike(names: Iterable[str]) -> list[tuple[str, ...]]:
    """The groups of two or more different ``names`` that look alike, each in order."""
    groups: dict[str, set[str]] = defaultdict(set)
    for name in names:
        groups[face(name)].add(name)
    return [tuple(sorted(group, key=natural_key)) for group in groups.values() if len(group) > 1]


def apart(names: Iterable[str]) -> Mapping[str, str]:
    """Every name with the text to show for it: names that look alike get a number, all others stay."""
    listed = set(names)
    marked = {
        name: f"{name} [{number}]" for group in alike(listed) for number, name in enumerate(group, start=1)
    }
    return {name: marked.get(name, name) for name in listed}


@cache
def _table() -> Mapping[str, str]:
    lines = (line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines())
    return {char: text for text, chars in lines for char in chars}
