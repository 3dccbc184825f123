"""Text that a spreadsheet would calculate, made harmless."""

import re

_STARTS = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"
"""Characters that start a formula in a spreadsheet; the full-width signs do so in East Asian locales."""

_AFTER_A_SEPARATOR = re.compile(rf"([;|]\s*)(?=[{re.escape(_STARTS)}])")
"""Where a formula would start in a spreadsheet that splits cells at semicolons, as in most of Europe."""


def starts_a_formula(text: str) -> bool:
    """Whether a spreadsheet would read a cell with ``text`` as a formula."""
    return bool(text) and text[0] in _STARTS


def without_formula(text: str) -> str:
    """``text`` with an apostrophe before each place where a formula would start."""
    guard = "'" if starts_a_formula(text) else ""
    return guard + _AFTER_A_SEPARATOR.sub(r"\1'", text)
