"""How often students may submit."""

from datetime import timedelta

import pytest

from grader.policy.limits import UNLIMITED, AttemptLimit, admitted, attempt_limit
from tests.policy.examples import DUE

DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("unlimited", UNLIMITED),
        ("10", AttemptLimit(free=10)),
        ("10 attempts", AttemptLimit(free=10)),
        ("10, then one a day", AttemptLimit(free=10, count=1, period=DAY)),
        ("5 a day", AttemptLimit(free=0, count=5, period=DAY)),
        ("5 submissions per day, at most 30", AttemptLimit(free=0, count=5, period=DAY, most=30)),
        ("3 every 2 hours", AttemptLimit(free=0, count=3, period=timedelta(hours=2))),
        ("unlimited, 10 minutes apart", AttemptLimit(apart=timedelta(minutes=10))),
    ],
)
def test_every_form_of_a_limit_is_read(text: str, expected: AttemptLimit) -> None:
    assert attempt_limit(text) == expected


@pytest.mark.parametrize(
    "text", ["", "0", "-1", "many", "then one a day", "5 a day, then one a day", "10, at most", "5 a"]
)
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="limit of attempts"):
        attempt_limit(text)


@pytest.mark.parametrize(
    ("text", "hours", "expected"),
    [
        ("2", [0, 1, 2], "++-"),
        ("2, then one a day", [0, 1, 2, 24, 25, 48, 49], "++--+-+"),
        ("2 a day", [0, 1, 23, 24, 24.5, 25], "++-+-+"),
        ("2 a day, at most 3", [0, 1, 24, 48], "+++-"),
        ("unlimited, 2 hours apart", [0, 1, 2, 3, 4], "+-+-+"),
        ("unlimited", [0, 0, 0], "+++"),
    ],
)
def test_a_token_comes_back_after_its_period(text: str, hours: list[float], expected: str) -> None:
    times = [(DUE + timedelta(hours=hour), True) for hour in hours]
    assert "".join("-+"[fits] for fits in admitted(attempt_limit(text), times)) == expected


def test_an_attempt_on_which_the_grader_failed_takes_no_token() -> None:
    times = [(DUE, False), (DUE, False), (DUE, True), (DUE, True)]
    assert admitted(attempt_limit("1"), times) == [True, True, True, False]


def test_what_is_left_and_when_the_next_comes() -> None:
    limit, used = attempt_limit("2, then one a day"), [DUE, DUE + timedelta(hours=1)]
    assert limit.left([], DUE) == 2
    assert limit.left(used, DUE + timedelta(hours=2)) == 0
    assert limit.next_at(used, DUE + timedelta(hours=2)) == DUE + timedelta(hours=25)
    assert limit.left(used, DUE + timedelta(hours=25)) == 1
    assert attempt_limit("2").next_at(used, DUE) is None
    assert UNLIMITED.left(used, DUE) is None
