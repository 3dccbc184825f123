"""Which attempts a rule accepts, and how late they are."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from zoneinfo import ZoneInfo

from grader.policy.limits import admitted
from grader.policy.rules import LabRule
from grader.policy.times import Span, Unit, days_after
from grader.policy.work import ScoredAttempt

_DAY = Span(count=1, unit=Unit.DAY)


class Refusal(Enum):
    """Why an attempt does not count."""

    EARLY = auto()
    OVER_THE_LIMIT = auto()
    CLOSED = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Considered:
    """An attempt with its ``number`` in time, from 1, and why it does not count; ``None``: it does."""

    number: int
    attempt: ScoredAttempt
    refusal: Refusal | None


def consider(
    rule: LabRule, zone: ZoneInfo, attempts: Sequence[ScoredAttempt], late_days: int
) -> tuple[Considered, ...]:
    """Each of ``attempts``, in order of time, under ``rule`` if ``late_days`` are spent on the lab."""
    end = accepted_until(rule, zone, late_days)
    found = []
    refusals = refused_at_once(rule, attempts)
    for number, (attempt, refusal) in enumerate(zip(attempts, refusals, strict=True), start=1):
        closed = end is not None and attempt.submitted_at > end
        found.append(
            Considered(
                number=number,
                attempt=attempt,
                refusal=Refusal.CLOSED if refusal is None and closed else refusal,
            )
        )
    return tuple(found)


def refused_at_once(rule: LabRule, attempts: Sequence[ScoredAttempt]) -> list[Refusal | None]:
    """Why each of ``attempts``, in order of time, is refused whatever the due date is; ``None``: it is not.

    An attempt is over the limit if no limit of the rule admits it.
    """
    opened = [rule.opens is None or each.submitted_at >= rule.opens for each in attempts]
    timed = [
        (each.submitted_at, not each.grader_failed)
        for each, is_open in zip(attempts, opened, strict=True)
        if is_open
    ]
    admits = map(any, zip(*(admitted(limit, timed) for limit in rule.limits), strict=True))
    return [
        Refusal.EARLY if not is_open else None if next(admits) else Refusal.OVER_THE_LIMIT
        for is_open in opened
    ]


def accepted_until(rule: LabRule, zone: ZoneInfo, late_days: int = 0) -> datetime | None:
    """The last instant at which work is accepted if ``late_days`` are spent; ``None``: it always is."""
    if rule.due is None:
        return rule.closes
    late = rule.late.ends(days_after(rule.due, late_days, zone), zone)
    if late is None:
        return None if rule.closes is None else max(rule.closes, rule.due + rule.grace)
    # Grace prolongs what would end at the due date itself.
    end = late if rule.late.accepted else late + rule.grace
    return max(end if rule.closes is None else min(end, rule.closes), rule.due + rule.grace)


def lateness(rule: LabRule, submitted: datetime) -> timedelta:
    """How long after the due date; nothing within the minutes of grace."""
    if rule.due is None or submitted <= rule.due + rule.grace:
        return timedelta()
    return submitted - rule.due


def days_needed(rule: LabRule, zone: ZoneInfo, submitted: datetime) -> int:
    """How many late days make work that was ``submitted`` then on time."""
    return 0 if rule.due is None else _DAY.started(rule.due + rule.grace, submitted, zone)


def steps_after(rule: LabRule, zone: ZoneInfo, submitted: datetime, late_days: int) -> int:
    """How many times the late rule's cost falls due, after ``late_days``."""
    if rule.due is None:
        return 0
    due = days_after(rule.due, late_days, zone)
    return 0 if submitted <= due + rule.grace else rule.late.steps(due, submitted, zone)
