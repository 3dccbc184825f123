"""Numbers in cells: read in either decimal mark, written in that of the file."""

import re
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal

_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?")
_GROUPED = re.compile(r"[+-]?\d{1,3}(?P<group>[.,'\u00a0\u202f\u2019 ])\d{3}((?P=group)\d{3})*([.,]\d+)?")

_MARK = re.compile(r"[.,](?=\d+$)")


def number(text: str) -> Decimal | None:
    """The number in a cell, with a decimal point or comma; ``None`` if the cell holds no single number.

    ``1.000`` and ``1,000`` are one: grades are not written in thousands without a decimal part. With one (``1.000,5``)
    the mark that comes last is the decimal mark.
    """
    stripped = text.strip()
    if _NUMBER.fullmatch(stripped):
        return Decimal(stripped.replace(",", "."))
    grouped = _GROUPED.fullmatch(stripped)
    if grouped is None:
        return None
    digits = stripped.replace(grouped["group"], "")
    return Decimal(digits.replace(",", ".")) if _NUMBER.fullmatch(digits) else None


def decimal_mark_of(cells: Iterable[str]) -> str | None:
    """The decimal mark in ``cells``; ``None`` if no cell has one, or cells disagree."""
    numbers = (text.strip() for text in cells if number(text) is not None)
    marks = {found[0] for text in numbers if (found := _MARK.search(text))}
    return marks.pop() if len(marks) == 1 else None


def written(value: float, mark: str, places: int = 2) -> str:
    """``value`` with ``mark`` and as many decimal places as it needs, at most ``places``; halves go up."""
    rounded = Decimal(repr(value)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    text = f"{rounded:f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text).replace(".", mark)
