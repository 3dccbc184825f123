"""Names of students and labs in file names."""

import difflib
import re
import unicodedata
from collections.abc import Collection, Iterable

from grader.model.reason import Item, first_of
from grader.model.text import printable

MAX_LISTED = 12
"""The most names in one message."""

_COPY = re.compile(r"(.+?) ?\([0-9]+\)")


def student_name(spelled: str) -> str:
    """The name of a student: NFKC, on one line, without characters that do not show and without outer blanks.

    Empty if nothing of it shows.
    """
    composed = unicodedata.normalize("NFKC", spelled)
    shown = "".join(char for char in composed if unicodedata.category(char) != "Cf")
    return printable(unicodedata.normalize("NFKC", " ".join(shown.split())))


def plainly_spelled(spelled: str) -> bool:
    """Whether a person who types the name of ``spelled`` gets it, as far as composition goes."""
    return student_name(spelled) == printable(unicodedata.normalize("NFC", spelled))


def name_key(student: str) -> str:
    """A key that is equal for names that differ only in case or in the form of their characters."""
    return student_name(student).casefold()


def name_before_copy(student: str) -> str | None:
    """The name without a browser's copy number, ``eve`` for ``eve (1)``; ``None`` if there is no number."""
    match = _COPY.fullmatch(student)
    return match[1] if match else None


def lab_spelled(stem: str, labs: Collection[str]) -> str | None:
    """The lab that a file's stem names, ``row-sum`` for ``row_sum``; ``None`` if there is none."""
    spelled = stem.casefold().replace("_", "-")
    return next((lab for lab in sorted(labs) if lab.casefold().replace("_", "-") == spelled), None)


def similar_lab(name: str, labs: Collection[str]) -> str | None:
    """The lab with the most similar name, if there is one."""
    return next(iter(difflib.get_close_matches(name, labs, n=1)), None)


def lab_hint(name: str, labs: Collection[str]) -> str:
    """A hint after an unknown lab name: the most similar lab, or all labs."""
    if (near := similar_lab(name, labs)) is not None:
        return f"Did you mean {near}?"
    return f"The labs are: {listed(sorted(labs))}." if labs else "No lab is installed."


def listed(names: Iterable[str]) -> str:
    """The first few of ``names``, printable, and the number of the others."""
    every = [printable(name) for name in names]
    more = len(every) - MAX_LISTED
    return ", ".join(every[:MAX_LISTED]) + (f" and {more} more" if more > 0 else "")


def shown(names: Iterable[str]) -> tuple[Item, ...]:
    """The first few of ``names`` as a parameter of a reason, printable, and the number of the others."""
    return first_of([printable(name) for name in names], MAX_LISTED)
