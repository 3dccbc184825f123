"""Late rules: until when late work is accepted, and what it costs."""

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from zoneinfo import ZoneInfo

from grader.policy.phrases import NUMBER, span_of, tidy
from grader.policy.times import Span

FORMS = (
    '"none" (late work is not accepted)',
    '"no penalty"',
    '"10 % a day, at most 3 days"',
    '"5 points an hour, at most 50 points"',
    '"10 % of the maximum a day"',
    '"20 % once, at most 2 days"',
)
"""Examples of every form, for messages and pages."""

_COST = re.compile(
    rf"(?P<cost>{NUMBER}) (?P<kind>% of the maximum|%|points?)"
    r" (?:(?P<once>once)|(?:(?:per|each|every) )?(?P<every>.+))"
)
_MOST = re.compile(rf"at most (?:(?P<cost>{NUMBER}) (?P<kind>%|points?)|(?P<span>.+))")
_WHOLE = 100.0


class Cost(StrEnum):
    """What a penalty is a part of."""

    EARNED = "%"
    MAXIMUM = "% of the maximum"
    POINTS = "points"


@dataclass(frozen=True, slots=True, kw_only=True)
class LateRule:
    """What late work costs: ``cost`` for each started ``every``, or once, in percent or points.

    ``most`` is how late work is accepted, ``None``: until the lab closes. ``most_cost`` is the largest penalty, in the
    unit of ``cost``. Work is accepted late only where ``accepted``.
    """

    accepted: bool = True
    cost: float = 0.0
    kind: Cost = Cost.EARNED
    every: Span | None = None
    most: Span | None = None
    most_cost: float | None = None

    def ends(self, due: datetime, zone: ZoneInfo) -> datetime | None:
        """Until when work is accepted; ``None``: without end."""
        if not self.accepted:
            return due
        return None if self.most is None else self.most.after(due, zone)

    def steps(self, due: datetime, submitted: datetime, zone: ZoneInfo) -> int:
        """How many times work that was ``submitted`` then costs ``cost``."""
        if submitted <= due:
            return 0
        return 1 if self.every is None else self.every.started(due, submitted, zone)

    def step_ends(self, due: datetime, step: int, zone: ZoneInfo) -> datetime | None:
        """Until when work costs ``step`` times ``cost``; ``None``: without end."""
        if step == 0:
            return due
        end = self.ends(due, zone)
        if self.every is None or self._capped(step):
            return end
        own = self.every.after(due, zone, step)
        return own if end is None else min(own, end)

    def costs(self, steps: int) -> float:
        """The penalty after so many ``steps``, in the unit of ``cost``."""
        limit = _WHOLE if self.kind is not Cost.POINTS else float("inf")
        return min(self.cost * steps, self.most_cost if self.most_cost is not None else limit, limit)

    def penalty(self, points: float, max_points: float, steps: int) -> float:
        """The points that ``steps`` take from ``points`` of ``max_points``; never more than there are."""
        base = {Cost.EARNED: points / _WHOLE, Cost.MAXIMUM: max_points / _WHOLE, Cost.POINTS: 1.0}[self.kind]
        return max(0.0, min(points, base * self.costs(steps)))

    def _capped(self, step: int) -> bool:
        return self.costs(step + 1) == self.costs(step)


NOT_ACCEPTED = LateRule(accepted=False)
"""Work counts only until it is due."""

_WORDS = {"none": NOT_ACCEPTED, "not accepted": NOT_ACCEPTED, "no penalty": LateRule()}


def late_rule(text: str) -> LateRule:
    """The rule that ``text`` states. Raises: ``ValueError`` for text of none of the ``FORMS``."""
    head, *rest = (part.strip() for part in tidy(text).split(","))
    rule = _WORDS.get(head)
    if rule is None:
        rule = _priced(head)
    for part in rest:
        rule = _limited(rule, part)
    return rule


def _priced(text: str) -> LateRule:
    found = _COST.fullmatch(text)
    if found is None:
        raise _unknown(text)
    every = None if found["once"] else span_of(found["every"])
    kind = _kind(found["kind"])
    cost = float(found["cost"])
    if (every is None and not found["once"]) or (kind is not Cost.POINTS and cost > _WHOLE):
        raise _unknown(text)
    return LateRule(cost=cost, kind=kind, every=every)


def _limited(rule: LateRule, text: str) -> LateRule:
    found = _MOST.fullmatch(text)
    if found is None or not rule.accepted:
        raise _unknown(text)
    most, most_cost = rule.most, rule.most_cost
    if found["span"]:
        span = span_of(found["span"])
        if span is None or most is not None:
            raise _unknown(text)
        most = span
    else:
        percent = _kind(found["kind"]) is Cost.EARNED
        if percent is (rule.kind is Cost.POINTS) or most_cost is not None or rule.cost == 0:
            raise _unknown(text)
        most_cost = float(found["cost"])
    return LateRule(cost=rule.cost, kind=rule.kind, every=rule.every, most=most, most_cost=most_cost)


def _kind(word: str) -> Cost:
    return Cost.POINTS if word.startswith("point") else Cost(word)


def _unknown(text: str) -> ValueError:
    return ValueError(f"{text!r} is no part of a late rule")
