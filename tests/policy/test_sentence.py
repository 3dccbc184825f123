"""The sentence about a student and lab, in every language."""

from datetime import timedelta
from typing import Any

import pytest

from grader.messages import Speech
from grader.model.reason import Reason
from grader.policy.holding import holding
from grader.policy.limits import attempt_limit
from grader.policy.rules import Course
from grader.policy.sentence import sentence
from tests.policy.examples import ADA, DUE, LAB, course, extension, rule


def said(of: Course, hours: float = -1, language: str = "en", **more: Any) -> str:
    """The sentence so many hours after the due date."""
    return Speech(language)(sentence(holding(of, ADA, LAB), DUE + timedelta(hours=hours), **more))


ONE_DAY = course(rule("10 % a day, at most 1 day"))


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ("Thu 18 Jun 23:59", "90 %", "Fri 19 Jun 23:59")),
        ("ru", ("чт, 18 июн., 23:59", "90 %", "пт, 19 июн., 23:59")),
        ("zh", ("6月18日周四 23:59", "90 %", "6月19日周五 23:59")),
    ],
)
def test_dates_are_written_as_in_the_language(language: str, expected: tuple[str, ...]) -> None:
    text = said(ONE_DAY, language=language)
    places = [text.index(part) for part in expected]
    assert len(set(places)) == len(expected)


def test_the_sentence_of_an_open_lab_has_each_step_in_order() -> None:
    text = said(ONE_DAY)
    assert text == "Open · full credit until Thu 18 Jun 23:59, 90 % until Fri 19 Jun 23:59"


def _codes(found: Reason) -> list[str]:
    return [found.code, *(code for each in found.nested() for code in _codes(each))]


@pytest.mark.parametrize(
    ("late", "hours", "expected"),
    [
        ("10 % a day, at most 3 days", 1, ["rule-late", "credit-until", "credit-until", "credit-until"]),
        ("10 % a day, at most 3 days", 73, ["rule-closed"]),
        ("10 % a day, at most 5 days", -1, ["rule-open", "credit-full-until", "credit-then-until"]),
        ("5 points an hour", -1, ["rule-open", "credit-full-until", "credit-then"]),
        ("20 % once", -1, ["rule-open", "credit-full-until", "credit-after-that"]),
        ("none", -1, ["rule-open", "credit-full-until"]),
        ("none", 1, ["rule-closed"]),
        ("no penalty", 1, ["rule-late", "credit-full"]),
    ],
)
def test_what_work_counts_from_now_on(late: str, hours: float, expected: list[str]) -> None:
    found = sentence(holding(course(rule(late)), ADA, LAB), DUE + timedelta(hours=hours))
    steps = (
        "rule-open",
        "rule-late",
        "rule-closed",
        "credit-full",
        "credit-until",
        "credit-then",
        "credit-after",
    )
    assert [code for code in _codes(found) if code.startswith(steps)] == expected


def test_what_is_left_and_who_gave_more_time() -> None:
    limited = course(rule(limits=(attempt_limit("3"),)), extension(1, reason="ill", by="Bo"))
    text = said(limited, used=[DUE - timedelta(hours=3)], late_days_left=2)
    assert text.split(" · ")[2:] == ["2 attempts left", "2 late days left", "extension (Bo: ill)"]


def test_attempts_that_are_used_up_name_the_next_one() -> None:
    limited = course(rule(limits=(attempt_limit("1, then one a day"),)))
    assert said(limited, -23, used=[DUE - timedelta(hours=25)]).endswith("next attempt Thu 18 Jun 22:59")
    assert "no attempts left" in said(course(rule(limits=(attempt_limit("1"),))), used=[DUE])


def test_a_lab_that_opens_later_and_one_from_which_one_is_excused() -> None:
    later = course(rule(opens=DUE - timedelta(days=1)))
    assert said(later, -30).startswith("Opens Wed 17 Jun 23:59 · full credit until")
    assert said(course(rule(), extension(0, excused=True, reason="ill"))) == "Excused (ill)"


def test_a_lab_without_dates_is_open() -> None:
    assert said(Course()) == "Open · full credit"
