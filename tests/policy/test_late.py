"""What late rules accept and cost, and when days begin where clocks change."""

from datetime import UTC, datetime, timedelta

import pytest

from grader.policy.late import Cost, LateRule, late_rule
from grader.policy.times import Span, Unit, days_after, instant
from tests.policy.examples import BERLIN, DUE

DAY = Span(count=1, unit=Unit.DAY)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("none", LateRule(accepted=False)),
        ("No penalty", LateRule()),
        ("no penalty, at most 2 days", LateRule(most=Span(count=2, unit=Unit.DAY))),
        ("10 % a day, at most 3 days", LateRule(cost=10, every=DAY, most=Span(count=3, unit=Unit.DAY))),
        ("10% per day", LateRule(cost=10, every=DAY)),
        ("10 percent each day", LateRule(cost=10, every=DAY)),
        ("2.5 % an hour", LateRule(cost=2.5, every=Span(count=1, unit=Unit.HOUR))),
        ("10 % every two days", LateRule(cost=10, every=Span(count=2, unit=Unit.DAY))),
        ("10 % of the maximum a day", LateRule(cost=10, kind=Cost.MAXIMUM, every=DAY)),
        ("1 point a day, at most 50 points", LateRule(cost=1, kind=Cost.POINTS, every=DAY, most_cost=50)),
        ("20 % once, at most 40 %", LateRule(cost=20, most_cost=40)),
    ],
)
def test_every_form_of_a_late_rule_is_read(text: str, expected: LateRule) -> None:
    assert late_rule(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", "10 %", "ten % a day", "10 % a fortnight", "110 % a day", "10 % a day at most 3 days"),
        *("none, at most 3 days", "10 % a day, at most 5 points", "5 points a day, at most 10 %"),
        *(
            "10 % a day, at most 0 days",
            "no penalty, at most 10 %",
            "10 % a day, at most 1 day, at most 2 days",
        ),
    ],
)
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="late rule"):
        late_rule(text)


@pytest.mark.parametrize(
    ("text", "hours", "penalty"),
    [
        ("10 % a day", 0, 0),
        ("10 % a day", 0.001, 8),
        ("10 % a day", 24, 8),
        ("10 % a day", 24.001, 16),
        ("10 % a day", 24 * 30, 80),
        ("10 % a day, at most 25 %", 24 * 30, 20),
        ("10 % of the maximum a day", 1, 10),
        ("5 points an hour", 2.5, 15),
        ("5 points an hour", 100, 80),
        ("30 % once", 24 * 30, 24),
        ("no penalty", 24 * 30, 0),
    ],
)
def test_each_started_step_costs(text: str, hours: float, penalty: float) -> None:
    rule = late_rule(text)
    steps = rule.steps(DUE, DUE + timedelta(hours=hours), BERLIN)
    assert rule.penalty(80, 100, steps) == pytest.approx(penalty)


def test_a_day_ends_at_the_same_time_on_the_clock_when_clocks_change() -> None:
    # Clocks in Berlin went back on 25 October 2026, so that this day had 25 hours.
    due = instant(datetime(2026, 10, 24, 23, 59), BERLIN)  # noqa: DTZ001 - local by intent
    assert days_after(due, 1, BERLIN) - due == timedelta(hours=25)
    rule = late_rule("10 % a day")
    assert rule.steps(due, due + timedelta(hours=24.9), BERLIN) == 1
    assert late_rule("10 % an hour").steps(due, due + timedelta(hours=24.9), BERLIN) == 25


def test_a_time_that_clocks_show_twice_is_the_later_one() -> None:
    twice = instant(datetime(2026, 10, 25, 2, 30), BERLIN)  # noqa: DTZ001 - local by intent
    assert twice == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)


def test_a_time_that_clocks_skip_is_refused_as_a_date_and_moved_as_a_step() -> None:
    with pytest.raises(ValueError, match="skip"):
        instant(datetime(2026, 3, 29, 2, 30), BERLIN)  # noqa: DTZ001 - local by intent
    before = instant(datetime(2026, 3, 28, 2, 30), BERLIN)  # noqa: DTZ001 - local by intent
    assert days_after(before, 1, BERLIN) == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
