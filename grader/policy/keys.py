"""The keys of ``course.toml``: what each may hold, and the value that it becomes."""

import datetime as dt
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from grader.config.wording import one_of
from grader.messages import LANGUAGES
from grader.policy import late, limits
from grader.policy.rules import Keep, Scores
from grader.policy.times import LAST_SECOND, on_clock, written

_MOST = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One key. ``read`` turns what TOML gives into the value, with the time zone of the course.

    ``read`` raises ``ValueError`` for what breaks the rule that ``expected`` states after "must be"; its text, if there
    is any, says more. ``about`` is the line of the reference page.
    """

    expected: str
    read: Callable[[Any, ZoneInfo], Any]
    about: str


def _require(holds: object, detail: str = "") -> None:
    if not holds:
        raise ValueError(detail)


def _text(value: Any, _: ZoneInfo) -> str:
    _require(
        isinstance(value, str) and value.strip() and "\0" not in value,
        "each name stands in quotes" if isinstance(value, int) else "",
    )
    return str(value).strip()


def _texts(value: Any, zone: ZoneInfo) -> tuple[str, ...]:
    return tuple(_text(each, zone) for each in (value if isinstance(value, list) else [value]))


def _list(value: Any, zone: ZoneInfo) -> tuple[str, ...]:
    _require(isinstance(value, list))
    return _texts(value, zone)


def _yes(value: Any, _: ZoneInfo) -> bool:
    _require(isinstance(value, bool))
    return bool(value)


def _number(low: float, high: float) -> Callable[[Any, ZoneInfo], float]:
    def read(value: Any, _: ZoneInfo) -> float:
        _require(not isinstance(value, bool) and isinstance(value, int | float) and low <= value <= high)
        return float(value)

    return read


def _whole(low: int, high: int) -> Callable[[Any, ZoneInfo], int]:
    def read(value: Any, _: ZoneInfo) -> int:
        _require(not isinstance(value, bool) and isinstance(value, int) and low <= value <= high)
        return int(value)

    return read


def _minutes(value: Any, zone: ZoneInfo) -> dt.timedelta:
    return dt.timedelta(minutes=_whole(0, 10_000)(value, zone))


def _word(kind: type[StrEnum]) -> Callable[[Any, ZoneInfo], Any]:
    def read(value: Any, _: ZoneInfo) -> StrEnum:
        _require(value in list(kind))
        return kind(value)

    return read


@cache
def _zones() -> frozenset[str]:
    """The names of all zones: to list them takes 70 ms, and a server reads the file for each page."""
    return frozenset(available_timezones())


def _zone(value: Any, _: ZoneInfo) -> ZoneInfo:
    _require(isinstance(value, str) and value in _zones())
    return ZoneInfo(value)


def _language(value: Any, _: ZoneInfo) -> str:
    _require(isinstance(value, str) and value in LANGUAGES)
    return str(value)


def _late(value: Any, _: ZoneInfo) -> late.LateRule:
    _require(isinstance(value, str))
    return late.late_rule(value)


def _limit(value: Any, _: ZoneInfo) -> limits.AttemptLimit:
    _require(not isinstance(value, bool) and isinstance(value, str | int))
    return limits.attempt_limit(str(value))


def _moment(whole_day: dt.time) -> Callable[[Any, ZoneInfo], dt.datetime]:
    """A date and time; of a date alone the time ``whole_day``."""

    def read(value: Any, zone: ZoneInfo) -> dt.datetime:
        if isinstance(value, str):
            return written(value, zone, whole_day)
        _require(isinstance(value, dt.date))
        return on_clock(value, zone, whole_day)

    return read


_START = _moment(dt.time())
_END = _moment(LAST_SECOND)
_DATE = 'a date and time such as "2026-06-18 23:59", or a date such as "2026-06-18"'
_NAMES = "a name in quotes, or an array of them"

COURSE: Mapping[str, Key] = {
    "title": Key(expected="text", read=_text, about="the name of the course"),
    "time_zone": Key(
        expected='a time zone such as "Europe/Berlin"', read=_zone, about="the zone of all dates without one"
    ),
    "language": Key(expected=one_of(LANGUAGES), read=_language, about="the language of the course"),
    "sections": Key(expected="an array of names", read=_list, about="the sections that the roster may name"),
}
"""``[course]``."""

RULES: Mapping[str, Key] = {
    "late": Key(
        expected=f"a late rule such as {', '.join(late.FORMS)}",
        read=_late,
        about="what late work costs, and until when it is accepted",
    ),
    "grace_minutes": Key(
        expected="a whole number from 0 to 10000",
        read=_minutes,
        about="minutes after the due date that cost nothing",
    ),
    "keep": Key(expected=one_of(Keep), read=_word(Keep), about="which attempt counts"),
    "attempts": Key(
        expected=f"a limit of attempts such as {', '.join(limits.FORMS)}",
        read=_limit,
        about="how often a student may submit",
    ),
    "scores": Key(expected=one_of(Scores), read=_word(Scores), about="when students see their scores"),
    "points": Key(
        expected=f"a number above 0 and at most {_MOST}",
        read=_number(math.nextafter(0, 1), _MOST),
        about="the points of the lab in this course; the points of its rubric are scaled to them",
    ),
    "weight": Key(
        expected=f"a number from 0 to {_MOST}",
        read=_number(0, _MOST),
        about="the part of the lab in the total",
    ),
    "late_days": Key(
        expected="a whole number from 0 to 1000",
        read=_whole(0, 1000),
        about="the most late days that one student can spend on the lab",
    ),
}
"""``[defaults]``; the same keys in ``[labs.NAME]``."""

DATES: Mapping[str, Key] = {
    "opens": Key(expected=_DATE, read=_START, about="nothing that is submitted earlier counts"),
    "due": Key(expected=_DATE, read=_END, about="until when work counts in full"),
    "closes": Key(expected=_DATE, read=_END, about="nothing that is submitted later counts"),
}
"""The dates of ``[labs.NAME]``."""

LATE_DAYS: Mapping[str, Key] = {
    "per_student": Key(
        expected="a whole number from 0 to 1000",
        read=_whole(0, 1000),
        about="the late days of each student for the term",
    ),
    "per_lab": Key(
        expected="a whole number from 0 to 1000", read=_whole(0, 1000), about="the most of them for one lab"
    ),
}
"""``[late_days]``."""

SCOPES: Mapping[str, Key] = {
    "student": Key(expected=_NAMES, read=_texts, about="the ids of students"),
    "group": Key(expected=_NAMES, read=_texts, about="groups"),
    "label": Key(expected=_NAMES, read=_texts, about="labels"),
    "section": Key(expected=_NAMES, read=_texts, about="sections"),
}
"""Whom an exception is for; each has exactly one of them."""

EXCEPTIONS: Mapping[str, Key] = {
    **SCOPES,
    "lab": Key(expected=_NAMES, read=_texts, about="the labs; all of them without this key"),
    "due": Key(expected=_DATE, read=_END, about="a due date of their own"),
    "days": Key(
        expected="a whole number from 1 to 3650",
        read=_whole(1, 3650),
        about="days after the lab's own due date",
    ),
    "closes": Key(expected=_DATE, read=_END, about="a closing date of their own"),
    "attempts": Key(
        expected=f"a limit of attempts such as {', '.join(limits.FORMS)}",
        read=_limit,
        about="a limit of their own, besides that of the lab",
    ),
    "excused": Key(expected="true or false", read=_yes, about="the lab does not count for them"),
    "reason": Key(expected="text", read=_text, about="why, for staff and the student"),
    "by": Key(expected="text", read=_text, about="who decided"),
}
"""``[[exceptions]]``."""

MEMBERS = Key(
    expected="an array of students' ids, each in quotes", read=_list, about="the ids of the students"
)
"""Each key of ``[groups]`` and ``[labels]``."""

BOUNDARY = Key(
    expected="a number from 0 to 100",
    read=_number(0, 100),
    about="the least percentage of the total for this grade",
)
"""Each key of ``[grades]``."""
