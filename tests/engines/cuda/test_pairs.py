"""The order of timed runs."""

import random
from collections import Counter

import pytest

from grader.engines.cuda.pairs import Side, pair_plan

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
