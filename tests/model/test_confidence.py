"""The bounds are those of the sign test, and pairs are enough when they decide."""

import math
import random
from dataclasses import replace

import pytest

from grader.model.confidence import (
    CHECKPOINTS,
    EARLY_CHECKPOINT,
    ERROR,
    TAIL,
    interval,
    is_enough,
    lower_rank,
)
from grader.model.run import TimedPair


def pairs(ratios: list[float]) -> list[TimedPair]:
    return [TimedPair(baseline=ratio * 1e-3, submission=1e-3) for ratio in ratios]


@pytest.mark.parametrize(
    ("count", "tail", "rank"), [(30, 0.025, 10), (60, 0.025, 22), (100, 0.025, 40), (30, 0.05, 11)]
)
def test_ranks_are_those_of_published_tables(count: int, tail: float, rank: int) -> None:
    assert lower_rank(count, tail) == rank


@pytest.mark.parametrize("count", [7, EARLY_CHECKPOINT, 20, *CHECKPOINTS, 200])
def test_bounds_err_rarely_enough_and_are_as_tight_as_possible(count: int) -> None:
    def beyond(rank: int) -> float:
        """How often the bound of this rank lies above the true median: exactly, and whatever the noise."""
        return float(sum(math.comb(count, below) for below in range(rank)) / 2**count)

    rank = lower_rank(count, TAIL)
    assert beyond(rank) <= TAIL < beyond(rank + 1)


@pytest.mark.parametrize("count", [1, 2, 3, 6])
def test_too_few_pairs_give_their_extremes(count: int) -> None:
    ratios = [2.0 + number for number in range(count)]
    found = interval(pairs(ratios))
    assert (found.low, found.high) == pytest.approx((ratios[0], ratios[-1]))


def in_places(ratios: list[float], count: int) -> list[TimedPair]:
    """Pairs that come to ``count`` places in turns."""
    return [replace(pair, place=number % count) for number, pair in enumerate(pairs(ratios))]


def test_pairs_at_distinct_locations_count_as_without() -> None:
    ratios = [2.0 + number for number in range(30)]
    assert interval(in_places(ratios, 30)) == interval(pairs(ratios))


def test_pairs_at_one_location_count_once() -> None:
    of_place = [2.0, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.7, 2.8, 2.9]
    found = interval(in_places(of_place * 12, 10))
    rank = lower_rank(10, TAIL)
    assert (found.low, found.high) == pytest.approx((of_place[rank - 1], of_place[-rank]))
    assert interval(pairs(of_place * 12)).half_width < found.half_width / 2


def test_few_equal_locations_do_not_narrow_the_interval() -> None:
    ratios = [2.0 + number / 100 for number in range(30)]
    (alone, one) = interval(pairs(ratios)), interval(in_places(ratios, 1))
    assert one == alone


def test_no_pairs_are_no_speedup() -> None:
    with pytest.raises(ValueError, match="needs a pair"):
        interval([])


def test_all_looks_together_err_as_seldom_as_is_promised() -> None:
    assert TAIL * len((EARLY_CHECKPOINT, *CHECKPOINTS)) == pytest.approx(ERROR)


def test_quiet_pairs_decide_at_once_and_loud_ones_do_not() -> None:
    rng = random.Random(3)
    quiet = pairs([2.0 * rng.lognormvariate(0, 0.002) for _ in range(30)])
    loud = pairs([2.0 * rng.lognormvariate(0, 0.2) for _ in range(30)])
    assert is_enough(quiet, [1.9, 2.1])
    assert not is_enough(quiet, [2.0])
    assert not is_enough(loud, [])
