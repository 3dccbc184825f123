"""How often a student may submit: tokens that come back after a while."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from grader.policy.phrases import count_of, span_of, tidy

FORMS = (
    '"unlimited"',
    '"10"',
    '"10, then one a day"',
    '"5 a day"',
    '"5 a day, at most 30"',
    '"unlimited, 10 minutes apart"',
)
"""Examples of every form, for messages and pages."""

_NOUN = re.compile(r" (?:attempt|submission)s?\b")
_RATE = re.compile(r"(?P<count>\w+) (?:an? |per |each |every )(?P<period>.+)")
_APART = re.compile(r"(?P<span>.+) apart")
_MOST = re.compile(r"at most (?P<count>\w+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptLimit:
    """The first ``free`` attempts come at any time; after them at most ``count`` fall into any ``period``.

    A token that an attempt takes comes back after ``period``. Without one the first ``free`` are all. ``apart`` is the
    least time between two attempts, ``most`` the most attempts in all. ``None``: no such limit.
    """

    free: int | None = None
    count: int = 0
    period: timedelta | None = None
    apart: timedelta = timedelta()
    most: int | None = None

    def next_at(self, used: Sequence[datetime], now: datetime) -> datetime | None:
        """When the next attempt is admitted after those ``used``, in order, from ``now`` on; ``None``: never."""
        if self.most is not None and len(used) >= self.most:
            return None
        earliest = max(now, used[-1] + self.apart) if used else now
        if self.free is None or len(used) < self.free:
            return earliest
        if self.period is None:
            return None
        if len(used) < self.count:
            return earliest
        return max(earliest, used[-self.count] + self.period)

    def left(self, used: Sequence[datetime], now: datetime) -> int | None:
        """How many attempts the student could make now, apart from the time between two; ``None``: no limit."""
        total = None if self.most is None else max(0, self.most - len(used))
        tokens = self._tokens(used, now)
        return min((each for each in (total, tokens) if each is not None), default=None)

    def _tokens(self, used: Sequence[datetime], now: datetime) -> int | None:
        if self.free is None:
            return None
        if len(used) < self.free:
            return self.free - len(used)
        if self.period is None:
            return 0
        return max(0, self.count - sum(each > now - self.period for each in used))


UNLIMITED = AttemptLimit()
"""As often as the student likes."""


def admitted(limit: AttemptLimit, attempts: Sequence[tuple[datetime, bool]]) -> list[bool]:
    """Which of ``attempts``, in order, ``limit`` admits: each is a time, and whether it takes a token.

    An attempt on which the grader failed is admitted like others and takes none.
    """
    used: list[datetime] = []
    admits = []
    for at, takes in attempts:
        fits = limit.next_at(used, at) == at
        admits.append(fits)
        if fits and takes:
            used.append(at)
    return admits


def attempt_limit(text: str) -> AttemptLimit:
    """The limit that ``text`` states. Raises: ``ValueError`` for text of none of the ``FORMS``."""
    head, *rest = (part.strip() for part in _NOUN.sub("", tidy(text)).split(","))
    limit = _head(head)
    for part in rest:
        limit = _with(limit, part)
    return limit


def _head(text: str) -> AttemptLimit:
    if text == "unlimited":
        return UNLIMITED
    count = count_of(text)
    if count:
        return AttemptLimit(free=count)
    return _rated(AttemptLimit(free=0), text)


def _with(limit: AttemptLimit, text: str) -> AttemptLimit:
    if text.startswith("then ") and limit.free and limit.period is None:
        return _rated(limit, text.removeprefix("then "))
    apart, most = _APART.fullmatch(text), _MOST.fullmatch(text)
    if apart is not None and not limit.apart and (span := span_of(apart["span"])) is not None:
        return replace(limit, apart=span.nominal)
    if most is not None and limit.most is None and (count := count_of(most["count"])):
        return replace(limit, most=count)
    raise _unknown(text)


def _rated(limit: AttemptLimit, text: str) -> AttemptLimit:
    found = _RATE.fullmatch(text)
    count = None if found is None else count_of(found["count"])
    period = None if found is None else span_of(found["period"])
    if not count or period is None:
        raise _unknown(text)
    return replace(limit, count=count, period=period.nominal)


def _unknown(text: str) -> ValueError:
    return ValueError(f"{text!r} is no part of a limit of attempts")
