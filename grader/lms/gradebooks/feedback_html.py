"""Feedback as HTML for a cell of a gradebook, and beside what a teaching assistant wrote there."""

import re
from collections.abc import Sequence
from html import escape

_OPENING = '<div class="grader-feedback">'
_OWN = re.compile(rf"{re.escape(_OPENING)}.*?</div>", re.DOTALL)


def merged(old: str, paragraphs: Sequence[str]) -> str:
    """The cell ``old`` with ``paragraphs`` as Grader's part of it, behind what others wrote there.

    Grader's part starts with a tag, so that no spreadsheet reads the cell as a formula.
    """
    own = "".join(f"<p>{escape(text, quote=False)}</p>" for text in paragraphs)
    part = f"{_OPENING}{own}</div>" if own else ""
    if _OWN.search(old):
        return _OWN.sub(lambda _: part, old, count=1)
    return old + part
