"""Names of students and labs in file names."""

import difflib
import re
import unicodedata
from collections.abc import Collection, Iterable

from grader.model.text import printable

_MAX_LISTED = 12

_COPY = re.compile(r"(.+?) ?\([0-9]+\)")


def student_name(spelled: str) -> str:
    """The name of a student for reports: one printable line of composed Unicode (NFC)."""
    return printable(unicodedata.normalize("NFC", spelled))


def name_key(student: str) -> str:
    """A key that is equal for names that differ only in case or Unicode composition."""
    return unicodedata.normalize("NFC", student.casefold())


def name_before_copy(student: str) -> str | None:
    """The name without a browser's copy number, ``eve`` for ``eve (1)``; ``None`` if there is no number."""
    match = _COPY.fullmatch(student)
    return match[1] if match else None


def lab_spelled(stem: str, labs: Collection[str]) -> str | None:
    """The lab that a file's stem names, ``row-sum`` for ``row_sum``; ``None`` if there is none."""
    spelled = stem.casefold().replace("_", "-")
    return next((lab for lab in sorted(labs) if lab.casefold().replace("_", "-") == spelled), None)


def lab_hint(name: str, labs: Collection[str]) -> str:
    """A hint after an unknown lab name: the most similar lab, or all labs."""
    near = difflib.get_close_matches(name, labs, n=1)
    if near:
        return f"Did you mean {near[0]}?"
    return f"The labs are: {listed(sorted(labs))}." if labs else "No lab is installed."


def listed(names: Iterable[str]) -> str:
    """The first few of ``names``, printable, and the number of the others."""
    every = [printable(name) for name in names]
    more = len(every) - _MAX_LISTED
    return ", ".join(every[:_MAX_LISTED]) + (f" and {more} more" if more > 0 else "")
