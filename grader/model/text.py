"""Text from outside (file names, compiler output) made fit to be shown, stored and sent."""

import unicodedata

_JOINERS = frozenset("\u200c\u200d")
"""Format characters that words and emoji are spelled with."""


def printable(text: str) -> str:
    r"""``text`` as one line of valid Unicode that cannot steer a terminal.

    Control and format characters (line ends, escape sequences, direction overrides) become Python's escapes, a
    byte that was not UTF-8 (as ``surrogateescape`` keeps it) becomes ``\xNN``. Everything else stays: markup and
    formulas are the concern of whoever writes HTML or CSV.
    """
    return "".join(char if _plain(char) else _escaped(char) for char in text)


def _plain(char: str) -> bool:
    category = unicodedata.category(char)
    return char in _JOINERS or not (category[0] == "C" or category in {"Zl", "Zp"})


def _escaped(char: str) -> str:
    if "\udc80" <= char <= "\udcff":
        return f"\\x{ord(char) - 0xDC00:02x}"
    return char.encode("unicode_escape").decode("ascii")
