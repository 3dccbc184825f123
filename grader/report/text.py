"""Escape untrusted text for display: one line, no control characters, nothing hidden."""

import unicodedata

from grader.model.submission import SourceFile
from grader.model.text import printable

NAME_LIMIT = 60
"""Characters of a name that a table cell shows."""

MESSAGE_LIMIT = 2000
"""Characters of a message that a report shows."""

_LINE_LIMIT = 500
"""Characters of a source line that a report shows; a longer line was not written by hand."""

_LEFT_TO_RIGHT = "\u200e"


def safe_text(text: str, limit: int | None = None) -> str:
    r"""``text`` on one line, with every character that could act on a terminal or a page escaped.

    Control characters, direction overrides, other invisible characters and the bytes of a file name that are not
    UTF-8 become Python's escapes (``\n``, ``\x1b``, ``\u202e``), which every font and terminal can show. Characters
    beyond ``limit`` are counted instead of shown: ``… (+48)``.
    """
    if limit is not None and len(text) > limit:
        return f"{safe_text(text[:limit])}… (+{len(text) - limit})"
    if text.isprintable():
        return text
    return printable(text)


def safe_name(text: str) -> str:
    """A name for a table cell in a terminal: escaped, short, and unable to reorder the rest of its line.

    A terminal that writes Arabic and Hebrew from right to left would pull adjacent numbers into such a name; an
    invisible left-to-right mark on either side prevents that.
    """
    shown = safe_text(text, NAME_LIMIT)
    if any(unicodedata.bidirectional(char) in {"R", "AL"} for char in shown):
        return f"{_LEFT_TO_RIGHT}{shown}{_LEFT_TO_RIGHT}"
    return shown


def source_lines(file: SourceFile) -> list[str]:
    """The escaped lines of a source file; a file that is not UTF-8 is read as Latin-1, as editors do."""
    try:
        text = file.data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = file.data.decode("latin-1")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[-1] == "":
        lines.pop()
    return [safe_text(line.expandtabs(4), _LINE_LIMIT) for line in lines]


def output_lines(text: str, most: int) -> tuple[list[str], int]:
    """The first ``most`` lines of a program's output, escaped, and the number of lines left out."""
    lines = text.removesuffix("\n").split("\n")
    return [safe_text(line.expandtabs(8), _LINE_LIMIT) for line in lines[:most]], max(0, len(lines) - most)
