"""Dates that a person reads, in the language of the person who downloaded them."""

import re
import unicodedata
from datetime import datetime, timedelta, timezone, tzinfo
from functools import lru_cache

from babel import Locale

_LOCALES = (
    *("en", "de", "fr", "es", "pt", "it", "nl", "sv", "da"),
    *("nb", "fi", "pl", "cs", "tr", "ru", "uk", "el", "ar"),
)
_AFTERNOON = frozenset({"pm", "م", "下午", "午後", "오후", "ös", "μμ", "пп"})
_MORNING = frozenset({"am", "ص", "上午", "午前", "오전", "öö", "πμ", "дп"})
_HALF_DAY = 12
_CJK_DATE = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]")
_NUMERIC_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_CLOCK = re.compile(
    r"(\d{1,2})\s?(?:[:._h時时시-]\s?)?(\d{2})(?:[:._分분]?(\d{2}))?\s*(?:분|秒|초)?\s*([^\d\s].*)?$"
)

_DOTTED = re.compile(r"\b(\w)\. ?(\w)\.")
"""``p. m.``"""

_ZONES: dict[str, int] = {
    zone: minutes
    for minutes, zones in {
        0: "UTC GMT Z WET",
        60: "CET MEZ HNEC",
        120: "CEST MESZ EET OEZ SAST",
        180: "EEST OESZ MSK TRT",
        480: "HKT SGT AWST",
        540: "JST KST",
        600: "AEST",
        660: "AEDT",
        720: "NZST",
        780: "NZDT",
        -240: "EDT",
        -300: "EST CDT",
        -360: "MDT",
        -420: "MST PDT",
        -480: "PST",
    }.items()
    for zone in zones.split()
}
"""Minutes east of Greenwich of abbreviations with one common meaning; BST, IST and CST have several."""


def prose_time(text: str, zone: tzinfo) -> datetime | None:
    """The time in ``text``, such as ``Jun 10, 2026 2:14 PM`` or ``10 juin 2026 14:14``, in ``zone``.

    ``None`` if it cannot be read for sure: days and months in digits differ in order, unless the year comes first.
    """
    plain = unicodedata.normalize("NFKC", text).strip()
    for pattern in (_CJK_DATE, _NUMERIC_DATE):
        if (match := pattern.search(plain)) is not None:
            year, month, day = map(int, match.groups())
            return _at(year, month, day, plain[: match.start()] + plain[match.end() :], zone)
    words = re.findall(r"[^\W\d_]+", plain.casefold())
    months = {_months()[word] for word in words if word in _months()}
    year_match = re.search(r"\b(\d{4})\b", plain)
    day_match = re.search(r"\b(\d{1,2})\b", plain)
    if len(months) != 1 or year_match is None or day_match is None or day_match.start() > year_match.start():
        return None
    return _at(int(year_match[1]), months.pop(), int(day_match[1]), plain[year_match.end() :], zone)


def zone_in(text: str, local: datetime, zone: tzinfo) -> tzinfo | None:
    """The time zone that ``text`` abbreviates, at the ``local`` time; ``None`` if there is none.

    An abbreviation that ``zone`` uses at that time means ``zone``.
    """
    words = re.findall(r"\b[A-Z]{1,5}\b", text)
    if local.replace(tzinfo=zone).tzname() in words:
        return zone
    minutes = [_ZONES[word] for word in words if word in _ZONES]
    return timezone(timedelta(minutes=minutes[-1])) if minutes else None


def _at(year: int, month: int, day: int, clock: str, zone: tzinfo) -> datetime | None:
    match = _CLOCK.search(clock.replace("'", "").strip(" ,.·-–à"))
    words = set(re.findall(r"[^\W\d_]+", _DOTTED.sub(r"\1\2", clock.casefold())))
    if match is None:
        return None
    hour = int(match[1])
    if words & (_AFTERNOON | _MORNING):
        hour = hour % _HALF_DAY + (_HALF_DAY if words & _AFTERNOON else 0)
    try:
        return datetime(year, month, day, hour, int(match[2]), int(match[3] or 0), tzinfo=zone)
    except ValueError:
        return None


@lru_cache(maxsize=1)
def _months() -> dict[str, int]:
    """Months by name and abbreviation, in lower case; a word with two meanings is left out."""
    found: dict[str, set[int]] = {}
    for language in _LOCALES:
        for form in Locale(language).months.values():
            for width in ("wide", "abbreviated"):
                for number, name in form.get(width, {}).items():
                    word = unicodedata.normalize("NFKC", name).casefold().strip(". ")
                    found.setdefault(word, set()).add(number)
    return {
        word: numbers.pop() for word, numbers in found.items() if len(numbers) == 1 and not word.isdigit()
    }
