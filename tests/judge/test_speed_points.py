"""Points for a speedup, and one sentence per speed part: ratio reached, points given, next threshold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.judge.speed_points import next_tier, part_title, points_for, speed_part
from grader.labs.manifest import Linear, SpeedRule, Tier, Tiers
from grader.model.reason import Reason, reason
from grader.model.report import Part
from grader.model.run import Comparison, TimedPair
from tools.messages import english

TIERS = Tiers(steps=(Tier(at_least=1.1, points=4), Tier(at_least=4, points=14)))
ONE_TIER = Tiers(steps=(Tier(at_least=4, points=10),))
FRACTION = Tiers(steps=(Tier(at_least=0.8, points=5),))
LINE = Linear(start=1, full=4, points=10)
THREE_TIERS = Tiers(
    steps=(Tier(at_least=1.1, points=4), Tier(at_least=2, points=8), Tier(at_least=4, points=10))
)
RATIO = st.floats(0, 100)


def runs(*ratios: float, modelled: bool = False) -> Comparison:
    pairs = tuple(TimedPair(baseline=ratio, submission=1.0) for ratio in ratios)
    return Comparison(pairs=pairs, modelled=modelled)


def around(middle: float, spread: float) -> Comparison:
    """Thirty pairs, evenly from ``middle - spread`` to ``middle + spread``."""
    return runs(*(middle + spread * (2 * i - 29) / 29 for i in range(30)))


def part(
    scorer: Tiers | Linear, comparison: Comparison, over: str | None = "global", *, counts: bool = True
) -> Part:
    rule = SpeedRule(kernel="matmul", scorer=scorer, over=over)
    return speed_part(rule, "global", comparison, modelled_counts=counts)


def said(seen: Part, name: str) -> Reason:
    """One of the two statements of a part's reason: ``reached`` or ``points``."""
    found = seen.reason.params[name]
    assert isinstance(found, Reason)
    return found


@pytest.mark.parametrize(
    ("scorer", "comparison", "points", "code", "shown"),
    [
        (ONE_TIER, runs(3.92), 0, "speed-first-tier", ["3.92×", "4.00×", "10 points"]),
        (ONE_TIER, runs(4.2), 10, "speed-all-points", ["4.20×", "10 points"]),
        (TIERS, runs(1.05), 0, "speed-first-tier", ["1.05×", "1.10×", "4 points"]),
        (TIERS, around(3.92, 0.1), 4, "speed-next-tier", ["[3.88×, 3.96×]", "4 of 14", "4.00×", "10 more"]),
        (LINE, runs(3.22), 7.4, "speed-on-line", ["7.4 of 10", "4.00×"]),
        (LINE, around(2.5, 0.5), 5.75, "speed-on-line-within-noise", ["5.75 of 10", "2.72×", "4.00×"]),
        (LINE, runs(0.9), 0, "speed-below-line", ["0.90×", "0 of 10", "1.00×", "4.00×"]),
        (LINE, runs(5), 10, "speed-all-points", ["5.00×", "10 points"]),
    ],
)
def test_the_reason_states_ratio_points_and_next_threshold(
    scorer: Tiers | Linear, comparison: Comparison, points: float, code: str, shown: list[str]
) -> None:
    seen = part(scorer, comparison)
    assert seen.score == points
    assert said(seen, "points").code == code
    assert [text for text in shown if text not in english(seen.reason)] == []


def test_a_threshold_within_the_interval_earns_its_points() -> None:
    seen = part(ONE_TIER, around(3.95, 0.4))
    assert seen.score == 10
    assert said(seen, "points").code == "speed-all-points-within-noise"
    assert "4.00×" in english(said(seen, "points"))


def test_a_threshold_above_the_interval_is_ruled_out() -> None:
    ratios = [3.0] * 22 + [4.0] * 8
    seen = part(ONE_TIER, runs(*ratios))
    assert seen.score == 0
    assert said(seen, "points").code == "speed-first-tier"


def test_an_interval_that_shows_as_one_number_is_left_out() -> None:
    assert said(part(ONE_TIER, runs(3.0)), "reached").code == "speedup-reached-exactly"
    assert said(part(ONE_TIER, around(3.0, 0.001)), "reached").code == "speedup-reached-exactly"
    assert said(part(ONE_TIER, around(3.0, 0.5)), "reached").code == "speedup-reached"


def test_a_fraction_of_a_rung_is_in_percent() -> None:
    met = part(FRACTION, runs(0.83), "shared_padded")
    missed = part(FRACTION, runs(0.62), "shared_padded")
    assert (met.score, said(met, "reached").params["rung"]) == (5, "shared_padded")
    assert "83.0 %" in english(met.reason)
    assert missed.score == 0
    assert "62.0 %" in english(missed.reason)
    assert "80.0 %" in english(said(missed, "points"))


def test_a_share_of_the_roofline_is_in_percent() -> None:
    seen = part(FRACTION, runs(1.2), None)
    assert said(seen, "reached").code == "roofline-share-reached-exactly"
    assert "120.0 %" in english(seen.reason)
    assert seen.name == "matmul at least 80% of the roofline"


@pytest.mark.parametrize("scorer", [ONE_TIER, TIERS, LINE])
def test_a_modelled_speedup_without_points_says_why(scorer: Tiers | Linear) -> None:
    seen = part(scorer, runs(50, modelled=True), counts=False)
    assert (seen.score, seen.waits_for_gpu) == (0, True)
    assert said(seen, "points").code == "speed-must-be-measured"
    assert f"{scorer.targets[0]:.2f}×" in english(seen.reason)
    assert not part(scorer, runs(50, modelled=True)).waits_for_gpu


def test_a_part_is_named_after_its_requirement() -> None:
    def name(scorer: Tiers | Linear, over: str) -> str:
        return english(part_title(SpeedRule(kernel="k", scorer=scorer, over=over), "global"))

    assert name(ONE_TIER, "global") == "k at least 4 times as fast as the baseline"
    assert name(TIERS, "shared") == "k at least 1.1 or 4 times as fast as shared"
    assert name(LINE, "shared") == "k from 1 to 4 times as fast as shared"


@pytest.mark.parametrize(
    ("ratio", "points"), [(0.5, 0), (1.0999, 0), (1.1, 4), (1.99, 4), (2, 8), (3.99, 8), (4, 10), (400, 10)]
)
def test_the_highest_tier_reached_counts(ratio: float, points: float) -> None:
    assert points_for(THREE_TIERS, ratio) == points


def test_the_next_tier_is_the_first_not_reached() -> None:
    assert next_tier(THREE_TIERS, 0.5) == Tier(at_least=1.1, points=4)
    assert next_tier(THREE_TIERS, 1.1) == Tier(at_least=2, points=8)
    assert next_tier(THREE_TIERS, 4) is None


@pytest.mark.parametrize(
    ("ratio", "points"), [(0.2, 0), (1, 0), (1.003, 0.01), (2.5, 5), (3.22, 7.4), (4, 10), (9, 10)]
)
def test_points_on_a_line_grow_evenly_to_a_hundredth(ratio: float, points: float) -> None:
    assert points_for(LINE, ratio) == points


@pytest.mark.parametrize("scorer", [THREE_TIERS, LINE])
@given(one=RATIO, other=RATIO)
def test_a_faster_kernel_never_gets_less(scorer: Tiers | Linear, one: float, other: float) -> None:
    slower, faster = sorted((one, other))
    assert 0 <= points_for(scorer, slower) <= points_for(scorer, faster) <= scorer.points


@pytest.mark.parametrize("scorer", [THREE_TIERS, LINE])
def test_points_are_constant_outside_the_targets(scorer: Tiers | Linear) -> None:
    assert points_for(scorer, scorer.targets[0] * 0.999) == 0
    assert points_for(scorer, scorer.targets[-1]) == scorer.points


def test_a_ratio_just_below_a_threshold_does_not_look_like_it() -> None:
    seen = part(Tiers(steps=(Tier(at_least=1.5, points=6),)), runs(1.4996, modelled=True))
    assert seen.score == 0
    assert said(seen, "points").code == "speed-first-tier"
    assert said(seen, "reached").params["ratio"] == reason("times", value=1.49)
