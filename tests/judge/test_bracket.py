"""Times that are longer than what passed meanwhile are an alarm; all others are none."""

import pytest

from grader.judge.bracket import overlong
from grader.model.run import Comparison, TimedPair

PAIRS = (TimedPair(baseline=0.02, submission=0.005),) * 40
"""A second altogether."""


@pytest.mark.parametrize("took", [1.01, 5.0])
def test_times_that_fit_into_what_passed_accuse_nobody(took: float) -> None:
    assert overlong(Comparison(pairs=PAIRS, modelled=False, took=took)) == ""


def test_times_that_do_not_fit_are_told_without_a_time() -> None:
    doubt = overlong(Comparison(pairs=PAIRS, modelled=False, took=0.5))
    assert doubt == "its times and the reference's add up to 2.00 times what passed meanwhile"


@pytest.mark.parametrize(("modelled", "took"), [(True, 0.1), (False, None)])
def test_modelled_times_and_times_that_nobody_clocked_accuse_nobody(
    took: float | None, *, modelled: bool
) -> None:
    assert overlong(Comparison(pairs=PAIRS, modelled=modelled, took=took)) == ""
