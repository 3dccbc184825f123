"""The speedup's interval is the textbook's, and a threshold is denied only with confidence."""

import random

import pytest

from grader.judge.speed import lower_rank, seconds, speedup, upper_bound
from grader.model.report import SpeedupKind
from grader.model.run import Comparison, TimedPair


def comparison(ratios: list[float], *, modelled: bool = False) -> Comparison:
    pairs = tuple(TimedPair(baseline=ratio * 1e-3, submission=1e-3) for ratio in ratios)
    return Comparison(pairs=pairs, modelled=modelled)


@pytest.mark.parametrize(("count", "rank"), [(30, 10), (60, 22), (100, 40)])
def test_two_sided_ranks_are_those_of_the_sign_test(count: int, rank: int) -> None:
    assert lower_rank(count, 0.025) == rank


def test_one_sided_rank_of_thirty_is_eleven() -> None:
    assert lower_rank(30, 0.05) == 11


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_too_few_pairs_give_their_extremes(count: int) -> None:
    assert lower_rank(count, 0.025) == 1


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


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    rng = random.Random(7)
    covered = 0
    for _ in range(400):
        sample = comparison([2.0 * rng.lognormvariate(0, 0.1) for _ in range(30)])
        found = speedup(sample, "global")
        covered += found.low <= 2.0 <= found.high
    assert 0.93 <= covered / 400 <= 1.0


def test_the_upper_bound_gives_the_benefit_of_the_doubt() -> None:
    ratios = [3.9 + 0.01 * i for i in range(30)]
    assert speedup(comparison(ratios), "global").value < 4.05 <= upper_bound(comparison(ratios)) < 4.2


def test_the_submissions_time_is_its_median() -> None:
    assert seconds(comparison([1.0, 2.0, 3.0])) == pytest.approx(1e-3)
