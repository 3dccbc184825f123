"""The words inside of cells and file names that a system writes in the language of its user."""

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path

from grader.lms.words.headers import folded

TABLE = Path(__file__).with_name("phrases.tsv")
"""A line for each word: role, language and word, separated by tabs."""


class Phrase(StrEnum):
    """What a word inside of a cell means.

    ``participant`` stands before the number of a person; ``default-group`` is the group of those who have none;
    ``staff-role`` is the role of somebody who does not submit.
    """

    PARTICIPANT = "participant"
    DEFAULT_GROUP = "default-group"
    YES = "yes"
    NO = "no"
    DECIMAL_MARK = "decimal-mark"
    STAFF_ROLE = "staff-role"


def is_phrase(text: str, phrase: Phrase) -> bool:
    """Whether ``text`` is ``phrase`` in any language."""
    return folded(text) in {folded(known) for _, known in _table()[phrase]}


def starts_with_phrase(text: str, phrase: Phrase) -> str | None:
    """The rest of ``text`` after ``phrase`` in any language, without spaces; ``None`` if it starts otherwise.

    The longest word that fits counts. ``/`` may be missing in the text, for file names cannot hold it.
    """
    for known in sorted((known for _, known in _table()[phrase]), key=len, reverse=True):
        for form in (known, known.replace("/", "")):
            if text.casefold().startswith(form.casefold()):
                return text[len(form) :].strip()
    return None


def decimal_mark(language: str) -> str:
    """The mark between units and tenths that Moodle writes in ``language``; a point where that is not known."""
    return next((known for code, known in _table()[Phrase.DECIMAL_MARK] if code == language), ".")


@cache
def _table() -> Mapping[Phrase, tuple[tuple[str, str], ...]]:
    """Language and word of every phrase."""
    found: dict[Phrase, list[tuple[str, str]]] = {phrase: [] for phrase in Phrase}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        role, language, text = line.split("\t")
        found[Phrase(role)].append((language, text))
    return {phrase: tuple(listed) for phrase, listed in found.items()}
