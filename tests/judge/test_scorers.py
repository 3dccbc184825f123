"""What a ratio is worth."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.judge.scorers import award, next_tier
from grader.labs.manifest import Linear, Tier, Tiers

TIERS = Tiers(steps=(Tier(at_least=1.1, points=4), Tier(at_least=2, points=8), Tier(at_least=4, points=10)))
LINE = Linear(start=1, full=4, points=10)
RATIO = st.floats(0, 100)


@pytest.mark.parametrize(
    ("ratio", "points"), [(0.5, 0), (1.0999, 0), (1.1, 4), (1.99, 4), (2, 8), (3.99, 8), (4, 10), (400, 10)]
)
def test_the_highest_tier_that_is_met_counts(ratio: float, points: float) -> None:
    assert award(TIERS, ratio) == points


def test_the_next_tier_is_the_first_that_is_not_met() -> None:
    assert next_tier(TIERS, 0.5) == Tier(at_least=1.1, points=4)
    assert next_tier(TIERS, 1.1) == Tier(at_least=2, points=8)
    assert next_tier(TIERS, 4) is None


@pytest.mark.parametrize(
    ("ratio", "points"), [(0.2, 0), (1, 0), (1.003, 0.01), (2.5, 5), (3.22, 7.4), (4, 10), (9, 10)]
)
def test_along_a_line_points_grow_evenly_to_a_hundredth(ratio: float, points: float) -> None:
    assert award(LINE, ratio) == points


@pytest.mark.parametrize("scorer", [TIERS, LINE])
@given(one=RATIO, other=RATIO)
def test_a_faster_kernel_never_gets_less(scorer: Tiers | Linear, one: float, other: float) -> None:
    slower, faster = sorted((one, other))
    assert 0 <= award(scorer, slower) <= award(scorer, faster) <= scorer.points


@pytest.mark.parametrize("scorer", [TIERS, LINE])
def test_points_change_nowhere_below_the_first_target_or_above_the_last(scorer: Tiers | Linear) -> None:
    assert award(scorer, scorer.targets[0] * 0.999) == 0
    assert award(scorer, scorer.targets[-1]) == scorer.points
