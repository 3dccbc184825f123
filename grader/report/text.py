"""Strings that came from outside, made safe to look at: one line, no hidden effect, nothing lost from view."""

import unicodedata

from grader.model.submission import SourceFile

NAME_LIMIT = 60
"""Characters of a name that a table cell shows."""

MESSAGE_LIMIT = 2000
"""Characters of a message that a report shows."""

_LINE_LIMIT = 500
"""Characters of a source line that a report shows; what is longer was not written by hand."""

_JOINERS = "\u200c\u200d"
"""Invisible, but Persian script and family emoji are misspelt without them."""

_LEFT_TO_RIGHT = "\u200e"

_UNDECODED_BYTES = range(0xDC80, 0xDD00)
"""How Python spells the bytes of a file name that are no UTF-8 (``surrogateescape``)."""


def safe_text(text: str, limit: int | None = None) -> str:
    r"""``text`` on one line, with whatever would act on a terminal or a page spelt out instead.

    Control characters, direction overrides, other invisible characters and the bytes of a file name that are not
    UTF-8 become Python's escapes (``\n``, ``\x1b``, ``\u202e``), which every font and terminal can show. Characters
    beyond ``limit`` are counted instead of shown: ``… (+48)``.
    """
    if limit is not None and len(text) > limit:
        return f"{safe_text(text[:limit])}… (+{len(text) - limit})"
    if text.isprintable():
        return text
    return "".join(map(_spell, text))


def safe_name(text: str) -> str:
    """A name for one cell of a terminal's table: safe, short, and kept from turning the rest of its line around.

    A terminal that writes Arabic and Hebrew from right to left would pull the numbers beside such a name into it;
    the invisible left-to-right mark on either side holds them where they are.
    """
    shown = safe_text(text, NAME_LIMIT)
    if any(unicodedata.bidirectional(char) in {"R", "AL"} for char in shown):
        return f"{_LEFT_TO_RIGHT}{shown}{_LEFT_TO_RIGHT}"
    return shown


def source_lines(file: SourceFile) -> list[str]:
    """The lines of a source file, each safe to show; bytes that are no UTF-8 are read as Latin-1, as editors do."""
    try:
        text = file.data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = file.data.decode("latin-1")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[-1] == "":
        lines.pop()
    return [safe_text(line.expandtabs(4), _LINE_LIMIT) for line in lines]


def natural_key(text: str) -> tuple[tuple[int, int, str], ...]:
    """A sort key that ignores case and puts ``student-2`` before ``student-10``."""
    runs: list[str] = []
    for char in text.casefold():
        if runs and _is_digit(runs[-1][-1]) == _is_digit(char):
            runs[-1] += char
        else:
            runs.append(char)
    return tuple((0, int(run), run) if _is_digit(run[0]) else (1, 0, run) for run in runs)


def _is_digit(char: str) -> bool:
    return char in "0123456789"


def _spell(char: str) -> str:
    code = ord(char)
    if char.isprintable() or char in _JOINERS or unicodedata.category(char) == "Zs":
        return char
    if code in _UNDECODED_BYTES:
        return f"\\x{code - 0xDC00:02x}"
    return char.encode("unicode_escape").decode()
