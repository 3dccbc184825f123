"""The most_severe verdict speaks for many, and what is accepted says how much was right."""

import pytest

from grader.model.verdict import Verdict, all_cases_passed, most_severe
from tools.messages import english


def test_the_worst_verdict_stands_for_all() -> None:
    assert most_severe([Verdict.ACCEPTED, Verdict.CRASHED, Verdict.WRONG]) is Verdict.CRASHED
    assert most_severe([]) is Verdict.ACCEPTED


@pytest.mark.parametrize(("cases", "reason"), [(1, "right in its only case"), (15, "right in all 15 cases")])
def test_what_is_accepted_says_in_how_many_cases(cases: int, reason: str) -> None:
    assert english(all_cases_passed(cases)) == reason
