"""A program is timed until its two fastest runs agree."""

import pytest

from grader.grading.programs.repeats import is_enough

ENOUGH = [
    ([1.0], 1),
    ([1.5, 1.0, 1.02], 3),
    ([1.5, 1.0, 1.2, 1.01], 3),
    ([1.0 + 0.1 * count for count in range(12)], 3),
]
TOO_FEW = [([], 1), ([1.0, 1.0], 3), ([1.5, 1.0, 1.2], 3), ([1.0 + 0.1 * count for count in range(11)], 3)]


@pytest.mark.parametrize(("seconds", "least"), ENOUGH)
def test_runs_end_where_the_two_fastest_agree(seconds: list[float], least: int) -> None:
    assert is_enough(seconds, least)


@pytest.mark.parametrize(("seconds", "least"), TOO_FEW)
def test_runs_go_on_while_they_differ(seconds: list[float], least: int) -> None:
    assert not is_enough(seconds, least)
