"""Local times of a course: instants, and spans that keep the time on the clock."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

_FOLDS = (0, 1)
_YEARS = range(1970, 2200)
"""Other years are slips, and sums with them can leave the calendar."""

LAST_SECOND = time(23, 59, 59)
"""What a date alone means where something ends."""


class Unit(StrEnum):
    """The units of time in rules."""

    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"


_DAYS = {Unit.DAY: 1, Unit.WEEK: 7}
_EXACT = {Unit.MINUTE: timedelta(minutes=1), Unit.HOUR: timedelta(hours=1)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Some minutes, hours, days or weeks. Days and weeks end at the same time on the clock, whatever it did between."""

    count: int
    unit: Unit

    def after(self, start: datetime, zone: ZoneInfo, times: int = 1) -> datetime:
        """The instant that many ``times`` this span after ``start``, in ``zone``."""
        count = self.count * times
        if self.unit in _EXACT:
            return start + _EXACT[self.unit] * count
        return days_after(start, _DAYS[self.unit] * count, zone)

    def started(self, start: datetime, end: datetime, zone: ZoneInfo) -> int:
        """How many of these spans have begun between ``start`` and ``end``: 0 if ``end`` is not later."""
        if end <= start:
            return 0
        # An estimate from below, because no day is longer than 25 hours by much.
        count = max(1, int((end - start) / self.longest) - 1)
        while self.after(start, zone, count) < end:
            count += 1
        return count

    @property
    def longest(self) -> timedelta:
        """No such span lasts longer: a day may have 26 hours."""
        exact = _EXACT.get(self.unit)
        return self.count * (exact if exact is not None else timedelta(hours=26) * _DAYS[self.unit])

    @property
    def nominal(self) -> timedelta:
        """The span in days of 24 hours."""
        exact = _EXACT.get(self.unit)
        return self.count * (exact if exact is not None else timedelta(days=_DAYS[self.unit]))


def instant(local: datetime, zone: ZoneInfo) -> datetime:
    """The instant in UTC at which clocks of ``zone`` show ``local``; the later one where they show it twice.

    Raises: ``ValueError`` if clocks skip this time, or ``local`` has a time zone.
    """
    if local.tzinfo is not None:
        msg = "a local time has no time zone"
        raise ValueError(msg)
    found = _latest(local, zone)
    if found.astimezone(zone).replace(tzinfo=None) != local:
        msg = f"clocks in {zone.key} skip {local:%Y-%m-%d %H:%M}"
        raise ValueError(msg)
    return found


def written(text: str, zone: ZoneInfo, whole_day: time = LAST_SECOND) -> datetime:
    """The instant that a person wrote as ``2026-06-18 23:59``, or as a date, which means ``whole_day``, in ``zone``.

    Raises: ``ValueError`` for other text, and for a time that clocks skip.
    """
    for kind in (date, datetime):
        try:
            found = kind.fromisoformat(text.strip())
        except ValueError:
            continue
        return on_clock(found, zone, whole_day)
    msg = f"{text!r} is no date"
    raise ValueError(msg)


def on_clock(when: date, zone: ZoneInfo, whole_day: time = LAST_SECOND) -> datetime:
    """The instant of a date, which means ``whole_day``, or of a date and time, with its own time zone or ``zone``.

    Raises: ``ValueError`` for a year of no course, and for a time that clocks skip.
    """
    if when.year not in _YEARS:
        msg = f"no course is in the year {when.year}"
        raise ValueError(msg)
    if not isinstance(when, datetime):
        when = datetime.combine(when, whole_day)
    return instant(when, zone) if when.tzinfo is None else when.astimezone(UTC)


def days_after(start: datetime, days: int, zone: ZoneInfo) -> datetime:
    """The instant some ``days`` after ``start`` at the same time on the clock.

    Where clocks skip that time it is as much later, where they show it twice the second one.
    """
    if days == 0:
        return start
    return _latest(start.astimezone(zone).replace(tzinfo=None) + timedelta(days=days), zone)


def moved_alike(when: datetime, start: datetime, end: datetime, zone: ZoneInfo) -> datetime:
    """``when`` moved by as much time on the clock as lies between ``start`` and ``end``.

    Where clocks skip or repeat the result, as ``days_after``.
    """
    clocks = [each.astimezone(zone).replace(tzinfo=None) for each in (when, start, end)]
    return _latest(clocks[0] + (clocks[2] - clocks[1]), zone)


def local_text(when: datetime, zone: ZoneInfo) -> str:
    """``when`` on the clocks of ``zone``, as a parameter of a reason: ISO 8601 to the minute."""
    return when.astimezone(zone).isoformat(timespec="minutes")


def _latest(local: datetime, zone: ZoneInfo) -> datetime:
    return max(local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in _FOLDS)
