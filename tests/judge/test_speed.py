"""A speedup is computed from its samples and can be recomputed from them."""

import pytest

from grader.judge.speed import replayed, samples, seconds, speedup
from grader.model.report import SpeedupKind
from grader.model.run import TimedComparison, TimedPair


def comparison(ratios: list[float], *, modelled: bool = False) -> TimedComparison:
    pairs = tuple(TimedPair(baseline=ratio * 1e-3, submission=1e-3) for ratio in ratios)
    return TimedComparison(pairs=pairs, modelled=modelled)


def test_the_value_is_the_median_ratio() -> None:
    found = speedup(comparison([1.0, 2.0, 4.0, 8.0, 16.0]), "global")
    assert found.value == pytest.approx(4.0)
    assert [found.low, found.high] == pytest.approx([1.0, 16.0])
    assert found.kind is SpeedupKind.MEASURED
    assert found.baseline == "global"


def test_one_modelled_pair_is_its_own_interval() -> None:
    found = speedup(comparison([2.5], modelled=True), "global")
    assert (found.low, found.value, found.high) == pytest.approx((2.5, 2.5, 2.5))
    assert found.kind is SpeedupKind.MODELLED


def test_the_submissions_time_is_its_median() -> None:
    assert seconds(comparison([1.0, 2.0, 3.0])) == pytest.approx(1e-3)


@pytest.mark.parametrize("modelled", [True, False])
def test_a_speedup_can_be_worked_out_again_from_what_is_kept(modelled: bool) -> None:  # noqa: FBT001 - a parameter
    measured = comparison([1.5, 1.25, 1.75, 1.5, 1.0, 1.6, 1.4, 1.3], modelled=modelled)
    assert replayed(samples(measured, "global")) == speedup(measured, "global")
