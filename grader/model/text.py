"""Make text from outside (file names, compiler output) safe to show, store and send."""

import re
import unicodedata

_JOINERS = frozenset("\u200c\u200d")
"""Format characters that are part of words and emoji."""

_DIGITS = re.compile(r"([0-9]+)")


def printable(text: str) -> str:
    r"""``text`` as one line of valid Unicode without effect on a terminal.

    Control and format characters (line ends, escape sequences, direction overrides) become Python's escapes, and
    a byte that is not UTF-8 (kept by ``surrogateescape``) becomes ``\xNN``. Everything else stays: code that writes
    HTML or CSV must escape markup and formulas.
    """
    return "".join(char if _plain(char) else _escaped(char) for char in text)


def natural_key(text: str) -> tuple[tuple[str | int, ...], str]:
    """A sort key that ignores case and puts ``student-2`` before ``student-10``."""
    parts = _DIGITS.split(text.casefold())
    return tuple(int(part) if index % 2 else part for index, part in enumerate(parts)), text


def _plain(char: str) -> bool:
    category = unicodedata.category(char)
    return char in _JOINERS or not (category[0] == "C" or category in {"Zl", "Zp"})


def _escaped(char: str) -> str:
    if "\udc80" <= char <= "\udcff":
        return f"\\x{ord(char) - 0xDC00:02x}"
    return char.encode("unicode_escape").decode("ascii")
