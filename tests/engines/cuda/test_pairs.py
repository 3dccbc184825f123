"""The order of timed runs, and which of them count."""

import math
import random
from collections import Counter

import pytest

from grader.engines.cuda.pairs import Side, pair_plan, steady_pair
from grader.engines.cuda.stopwatch import Measurement
from grader.model.run import TimedPair

BASELINE_FIRST = (Side.BASELINE, Side.SUBMISSION)


@pytest.mark.parametrize("seed", range(5))
def test_both_orders_are_equally_frequent(seed: int) -> None:
    plan = pair_plan(20, random.Random(seed))
    assert Counter(plan) == {BASELINE_FIRST: 10, BASELINE_FIRST[::-1]: 10}


def test_an_odd_pair_goes_to_either_order() -> None:
    surplus = {Counter(pair_plan(15, random.Random(seed))).most_common(1)[0][0] for seed in range(40)}
    assert len(surplus) == 2


def test_the_order_cannot_be_foreseen() -> None:
    assert len({tuple(pair_plan(20, random.Random(seed))) for seed in range(50)}) > 40


@pytest.mark.parametrize(("change", "counts"), [(0.0, True), (0.019, True), (0.021, False), (-0.021, False)])
def test_a_pair_counts_only_if_the_clock_stayed(change: float, *, counts: bool) -> None:
    steady = Measurement(seconds=4e-3, clock=2e9), Measurement(seconds=2e-3, clock=2e9)
    laps = Measurement(seconds=6e-3, clock=1e9), Measurement(seconds=1e-3, clock=1e9 * math.exp(change))
    of_one = TimedPair(baseline=3e-3, submission=5e-4, place=7)
    of_two = TimedPair(baseline=2.5e-3, submission=7.5e-4, place=8)
    assert steady_pair([laps], launches=2, place=7) == (of_one if counts else None)
    for visits in ([steady, laps], [laps, steady]):
        assert steady_pair(visits, launches=2, place=8) == (of_two if counts else None)
