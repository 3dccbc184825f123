"""The lab that an assignment of another system is: its name or title inside of what the system writes."""

import re
from collections.abc import Iterable, Mapping

from grader.errors import UserError
from grader.intake.names import listed
from grader.model.text import printable


def lab_of_assignment(texts: Iterable[str], labs: Mapping[str, str]) -> str | None:
    """The lab of ``labs``, titles by name, that the first telling text of ``texts`` holds as whole words.

    ``None`` if none does. Of two labs of which one name is a part of the other, the longer counts; two others in one
    text decide nothing.
    """
    for text in texts:
        words = _words(text)
        found = {lab: longest for lab, title in labs.items() if (longest := _longest(words, lab, title))}
        if found:
            most = max(found.values(), key=len)
            best = [lab for lab, name in found.items() if name == most]
            if len(best) == 1 and all(name in most for name in found.values()):
                return best[0]
    return None


def unknown_lab(path: str, assignment: str, labs: Iterable[str]) -> UserError:
    """The error for a submission without a lab."""
    msg = (
        f"The lab of {printable(path)} is unknown: its assignment is {printable(assignment) or 'not named'}."
    )
    return UserError(msg, hint=f"Name it with --lab: {listed(sorted(labs))}.")


def _longest(words: str, lab: str, title: str) -> str:
    """The longer of name and title that ``words`` hold; empty if they hold neither."""
    return max(
        (name for each in (lab, title) if (name := _words(each)) and name in words), key=len, default=""
    )


def _words(text: str) -> str:
    """The words of ``text`` with a blank around each, so that a part of a word is none."""
    joined = " ".join(re.findall(r"[^\W_]+", text.casefold()))
    return f" {joined} " if joined else ""
