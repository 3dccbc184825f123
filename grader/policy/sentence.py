"""The rule that holds for a student and lab, in one sentence."""

from collections.abc import Sequence
from datetime import datetime
from functools import reduce

from grader.model.reason import Reason, reason
from grader.policy.acceptance import accepted_until
from grader.policy.holding import Holding
from grader.policy.limits import AttemptLimit
from grader.policy.times import days_after, local_text
from grader.policy.wording import each, less, note

_MOST_STEPS = 4
"""The most steps of a late rule that are listed one by one."""


def sentence(
    held: Holding,
    now: datetime,
    *,
    used: Sequence[datetime] = (),
    late_days: int = 0,
    late_days_left: int = 0,
) -> Reason:
    """Whether the lab is open at ``now``, what work counts until when, and what else holds.

    ``used`` are the times of the attempts so far. The student has spent ``late_days`` on the lab, which move its due
    date, and could spend ``late_days_left`` more.
    """
    if held.excused is not None:
        return reason("rule-excused", note=note(held.excused.by, held.excused.reason))
    parts = [*_state(held, now, late_days)]
    end = accepted_until(held.rule, held.zone, late_days + late_days_left)
    if end is None or now <= end:
        parts += [*_attempts(held.rule.limits, used, now, held), *_late_days(late_days, late_days_left)]
    if held.extension is not None:
        parts.append(reason("rule-extension", note=note(held.extension.by, held.extension.reason)))
    return reduce(lambda first, rest: reason("rule-and", first=first, rest=rest), parts)


def _state(held: Holding, now: datetime, late_days: int) -> list[Reason]:
    rule = held.rule
    end = accepted_until(rule, held.zone, late_days)
    if end is not None and now > end:
        return [reason("rule-closed", since=local_text(end, held.zone))]
    credit = reason("rule-credits", credits=tuple(_credits(held, now, late_days, end)))
    if rule.opens is not None and now < rule.opens:
        return [reason("rule-opens", at=local_text(rule.opens, held.zone)), credit]
    late = rule.due is not None and now > days_after(rule.due, late_days, held.zone) + rule.grace
    return [reason("rule-late" if late else "rule-open"), credit]


def _credits(held: Holding, now: datetime, late_days: int, end: datetime | None) -> list[Reason]:
    """What work counts from ``now`` on, step by step, until ``end``."""
    rule, late = held.rule, held.rule.late
    if rule.due is None or (late.accepted and not late.cost):
        return [_full(held, end)]
    due = days_after(rule.due, late_days, held.zone)
    step = 0 if now <= due + rule.grace else late.steps(due, now, held.zone)
    found: list[Reason] = []
    while True:
        until = late.step_ends(due, step, held.zone)
        until = end if until is None or (end is not None and until > end) else until
        found.append(_full(held, until) if step == 0 else _reduced(held, late.costs(step), until))
        if until is None or (end is not None and until >= end) or not late.accepted:
            return found
        step += 1
        if len(found) == _MOST_STEPS and late.every is not None:
            # Further steps follow the same pattern.
            return [found[0], _pattern(held, end)]


def _full(held: Holding, until: datetime | None) -> Reason:
    if until is None:
        return reason("credit-full")
    return reason("credit-full-until", until=local_text(until, held.zone))


def _reduced(held: Holding, cost: float, until: datetime | None) -> Reason:
    taken = _remaining(held, cost)
    if until is None:
        return reason("credit-after-that", credit=taken)
    return reason("credit-until", credit=taken, until=local_text(until, held.zone))


def _remaining(held: Holding, cost: float) -> Reason:
    """What is left after ``cost``: ``90 %``, ``5 points less``."""
    taken = less(held.rule.late, cost)
    return reason("credit-percent", percent=100 - cost) if taken.code == "percent-less" else taken


def _pattern(held: Holding, end: datetime | None) -> Reason:
    late = held.rule.late
    every = None if late.every is None else each(late.every)
    taken = less(late, late.cost)
    if end is None:
        return reason("credit-then", less=taken, every=every)
    return reason("credit-then-until", less=taken, every=every, until=local_text(end, held.zone))


def _attempts(
    limits: Sequence[AttemptLimit], used: Sequence[datetime], now: datetime, held: Holding
) -> list[Reason]:
    """How many attempts are left, by the limit that admits most, and when the next one is admitted if not now."""
    times = [at for limit in limits if (at := limit.next_at(used, now)) is not None]
    if not times:
        return [reason("rule-no-attempts-left")]
    left = [limit.left(used, now) for limit in limits]
    most = None if None in left else max(each for each in left if each is not None)
    said = [reason("rule-attempts-left", count=most)] if most else []
    waits = min(times) > now
    return [*said, *([reason("rule-next-attempt", at=local_text(min(times), held.zone))] if waits else [])]


def _late_days(spent: int, left: int) -> list[Reason]:
    said = [reason("rule-late-days-spent", count=spent)] if spent else []
    return [*said, *([reason("rule-late-days-left", count=left)] if left else [])]
