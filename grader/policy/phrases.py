"""Words that the rules of a course share: numbers and units in English."""

import re

from grader.policy.times import Span, Unit

NUMBER = r"(?:\d+(?:\.\d+)?)"
"""A number as rules write it."""

_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_PERCENT = re.compile(r"%| percent\b")
_SPAN = re.compile(r"(?:(?P<count>\w+) )?(?P<unit>minute|hour|day|week)s?")


def tidy(text: str) -> str:
    """``text`` in small letters with single blanks, and one before each percent sign; ``percent`` is that sign."""
    return " ".join(_PERCENT.sub(" % ", text.casefold()).split())


def count_of(word: str) -> int | None:
    """The whole number that ``word`` names: digits, or a word up to ten; ``a`` and ``an`` are 1."""
    if word in {"a", "an"}:
        return 1
    if word in _COUNTS:
        return _COUNTS.index(word)
    return int(word) if word.isdecimal() and len(word) < 7 else None  # noqa: PLR2004 - more is no count of a course


def span_of(text: str) -> Span | None:
    """The span that ``text`` names, such as ``day``, ``2 hours`` or ``three weeks``."""
    found = _SPAN.fullmatch(text)
    count = None if found is None else count_of(found["count"] or "one")
    return Span(count=count, unit=Unit(found["unit"])) if found is not None and count else None
