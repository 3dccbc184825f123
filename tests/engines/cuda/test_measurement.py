"""A comparison from warm-up to the last pair, with a fake timer; batch size, order of pairs and clock drift."""

import math
import random
import secrets
from collections import Counter
from itertools import cycle
from types import SimpleNamespace
from typing import Any, cast

import pytest

from grader.engines.cuda.measurement import (
    AVERAGING_BATCH,
    MAX_BATCH,
    MAX_BATCH_BYTES,
    MAX_REPEATED_SECONDS,
    MIN_BATCH_SECONDS,
    MIN_GROUPS,
    SETS_PER_PAIR,
    SINGLE_LAUNCH_SECONDS,
    batch_size,
    measure,
    pair_plan,
    sets_per_pair,
    steady_pair,
)
from grader.engines.cuda.paired_timer import MeasurementPair, Side
from grader.engines.cuda.timing import Measurement
from grader.model.confidence import CHECKPOINTS
from grader.model.run import TimedPair

BASELINE_FIRST = (Side.BASELINE, Side.SUBMISSION)
BUFFER_SETS = 10


@pytest.mark.parametrize(
    ("seconds", "nbytes", "launches"),
    [
        (SINGLE_LAUNCH_SECONDS, 4, 1),
        (1.0, 4, 1),
        (SINGLE_LAUNCH_SECONDS * 0.99, 4, 3),
        (MIN_BATCH_SECONDS / 10, 4, 10),
        (1e-6, 4, MAX_BATCH),
        (1e-6, MAX_BATCH_BYTES // 5, 5),
        (1e-6, 2 * MAX_BATCH_BYTES, 1),
        (1e-6, 0, MAX_BATCH),
    ],
    ids=["long", "very long", "nearly long", "short", "very short", "large", "too large", "without buffers"],
)
def test_a_batch_lasts_long_enough_and_fits(seconds: float, nbytes: int, launches: int) -> None:
    assert batch_size(seconds, nbytes) == launches


@pytest.mark.parametrize(("count", "limit"), SETS_PER_PAIR)
def test_single_short_launches_run_in_several_buffer_sets(count: int, limit: float) -> None:
    enough = count * MIN_GROUPS
    assert sets_per_pair(limit * 0.99, 1, enough) == count
    assert sets_per_pair(limit, 1, enough) < count, "slow"
    assert sets_per_pair(limit * 0.99, 2, enough) == 1, "batched"
    assert sets_per_pair(limit * 0.99, 1, enough - 1) < count, "few buffer sets"


@pytest.mark.parametrize("seed", range(5))
def test_both_orders_are_equally_frequent(seed: int) -> None:
    plan = pair_plan(20, random.Random(seed))
    assert Counter(plan) == {BASELINE_FIRST: 10, BASELINE_FIRST[::-1]: 10}


def test_a_surplus_pair_has_either_order() -> None:
    surplus = {Counter(pair_plan(15, random.Random(seed))).most_common(1)[0][0] for seed in range(40)}
    assert len(surplus) == 2


def test_the_order_is_random() -> None:
    assert len({tuple(pair_plan(20, random.Random(seed))) for seed in range(50)}) > 40


@pytest.mark.parametrize(("change", "counts"), [(0.0, True), (0.019, True), (0.021, False), (-0.021, False)])
def test_a_pair_counts_only_with_a_steady_clock(change: float, *, counts: bool) -> None:
    steady = Measurement(seconds=4e-3, clock=2e9), Measurement(seconds=2e-3, clock=2e9)
    tested = Measurement(seconds=6e-3, clock=1e9), Measurement(seconds=1e-3, clock=1e9 * math.exp(change))
    of_one = TimedPair(baseline=3e-3, submission=5e-4, place=7)
    of_two = TimedPair(baseline=2.5e-3, submission=7.5e-4, place=8)
    assert steady_pair([tested], launches=2, buffer_set=7) == (of_one if counts else None)
    for measured in ([steady, tested], [tested, steady]):
        assert steady_pair(measured, launches=2, buffer_set=8) == (of_two if counts else None)


class FakeTimer:
    """The submission takes half as long as the baseline; both take ``first`` times as long in the first pair."""

    def __init__(self, seconds: float = MAX_REPEATED_SECONDS, first: float = 1.0) -> None:
        self.seconds = seconds
        self.first = first
        self.pairs = self.moves = 0
        self.timed: list[int] = []
        self.audited: list[int] = []
        self.buffer_sets = SimpleNamespace(
            nbytes=1000,
            index=0,
            group_size=1,
            limit=4 * MIN_GROUPS,
            set_group_size=self.set_group_size,
            begin_pair=lambda: None,
            advance=self.advance,
            set_copies=lambda _count: None,
        )

    def set_group_size(self, count: int) -> None:
        self.buffer_sets.group_size = count

    def advance(self) -> None:
        self.moves += 1
        self.buffer_sets.index = self.moves % BUFFER_SETS

    def pair(self, order: tuple[Side, Side]) -> MeasurementPair:
        assert set(order) == set(Side)
        self.pairs += 1
        self.timed.append(self.moves)
        seconds = self.seconds * (self.first if self.pairs == 1 else 1.0)
        return Measurement(seconds=seconds, clock=1e9), Measurement(seconds=seconds / 2, clock=1e9)

    def audit_batch(self) -> None:
        self.audited.append(self.moves)


def measured_with(timer: FakeTimer) -> Any:
    quiet = SimpleNamespace(probe_contention=lambda duration, _gap: (0, duration))
    return measure(cast("Any", timer), cast("Any", quiet), targets=(), most_seconds=60.0)


def test_the_warm_up_pair_is_not_among_the_pairs() -> None:
    timer = FakeTimer()
    comparison = measured_with(timer)
    assert len(comparison.pairs) == CHECKPOINTS[0] == timer.pairs - 1
    assert {pair.baseline / pair.submission for pair in comparison.pairs} == {2.0}
    assert comparison.launches == 1


def test_each_pair_uses_the_next_buffer_set() -> None:
    timer = FakeTimer()
    measured_with(timer)
    assert timer.moves == timer.pairs - 1


@pytest.mark.parametrize("seconds", [MAX_REPEATED_SECONDS, MAX_REPEATED_SECONDS / 2])
def test_pairs_name_their_buffer_set(seconds: float) -> None:
    timer = FakeTimer(seconds)
    found = Counter(pair.place for pair in measured_with(timer).pairs)
    distinct = BUFFER_SETS * CHECKPOINTS[0] // timer.moves
    assert list(found.values()) == [CHECKPOINTS[0] // distinct] * distinct


@pytest.mark.parametrize(("count", "limit"), SETS_PER_PAIR)
def test_a_short_pair_runs_in_several_buffer_sets(count: int, limit: float) -> None:
    timer = FakeTimer(limit / 2)
    comparison = measured_with(timer)
    assert timer.moves == timer.pairs - 2 == count * CHECKPOINTS[0]
    assert {pair.baseline for pair in comparison.pairs} == {timer.seconds}
    assert comparison.launches == count


def test_a_slow_first_launch_does_not_set_the_batch_size() -> None:
    seconds = 1.8 * SINGLE_LAUNCH_SECONDS
    slow_start = measured_with(FakeTimer(seconds, first=2.0))
    assert slow_start.launches == measured_with(FakeTimer(seconds)).launches > 2


@pytest.mark.parametrize(
    ("seconds", "named"), [(MAX_REPEATED_SECONDS, True), (2 * MIN_BATCH_SECONDS / AVERAGING_BATCH, False)]
)
def test_pairs_of_large_batches_name_no_buffer_set(seconds: float, *, named: bool) -> None:
    assert all((pair.place is not None) == named for pair in measured_with(FakeTimer(seconds)).pairs)


def test_an_audited_batch_has_a_buffer_set_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = cycle([0, 1, 1])
    monkeypatch.setattr(secrets, "randbelow", lambda _: next(drawn))
    timer = FakeTimer(SINGLE_LAUNCH_SECONDS)
    assert measured_with(timer).launches > 1
    assert len(timer.audited) == CHECKPOINTS[0] // 3
    assert not set(timer.audited) & set(timer.timed)
