"""Names of students and labs as files spell them."""

import difflib
import re
import unicodedata
from collections.abc import Collection, Iterable

from grader.model.text import printable

_MAX_LISTED = 12

_COPY = re.compile(r"(.+?) ?\([0-9]+\)")


def student_name(spelled: str) -> str:
    """How a student is called from here on: one printable line of composed Unicode."""
    return printable(unicodedata.normalize("NFC", spelled))


def name_key(student: str) -> str:
    """Equal for names that a person, or another file system, would take for the same."""
    return unicodedata.normalize("NFC", student.casefold())


def name_before_copy(student: str) -> str | None:
    """The name that a browser made ``student`` of because it was taken, ``eve`` for ``eve (1)``; ``None`` for none."""
    match = _COPY.fullmatch(student)
    return match[1] if match else None


def lab_spelled(stem: str, labs: Collection[str]) -> str | None:
    """The lab that a file's stem spells, ``row_sum`` for ``row-sum``; ``None`` for none."""
    spelled = stem.casefold().replace("_", "-")
    return next((lab for lab in sorted(labs) if lab.casefold().replace("_", "-") == spelled), None)


def lab_hint(name: str, labs: Collection[str]) -> str:
    """A sentence for who named no lab: the nearest one, or all of them."""
    near = difflib.get_close_matches(name, labs, n=1)
    if near:
        return f"Did you mean {near[0]}?"
    return f"The labs are: {listed(sorted(labs))}." if labs else "No lab is installed."


def listed(names: Iterable[str]) -> str:
    """The first few of ``names``, printable, and how many more there are."""
    every = [printable(name) for name in names]
    more = len(every) - _MAX_LISTED
    return ", ".join(every[:_MAX_LISTED]) + (f" and {more} more" if more > 0 else "")
