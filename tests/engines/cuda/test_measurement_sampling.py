"""Pairs are sampled until a stopping criterion holds; half of them run in each order."""

import random
from collections.abc import Callable

import pytest

from grader.engines.cuda.measurement import Sample, sample_pairs
from grader.engines.cuda.paired_timer import Side
from grader.model.confidence import CHECKPOINTS, EARLY_CHECKPOINT
from grader.model.run import TimedPair


class FakeTimer:
    """Times pairs with a true speedup of 2, with noise, and records their ``orders``."""

    def __init__(self, noise: float) -> None:
        self.orders: list[tuple[Side, Side]] = []
        self._noise = noise
        self._rng = random.Random(11)

    def __call__(self, order: tuple[Side, Side]) -> TimedPair | None:
        self.orders.append(order)
        return TimedPair(baseline=2e-3 * self._rng.lognormvariate(0, self._noise), submission=1e-3)


def count(
    noise: float, targets: list[float], *, patience: int = 1000, slow: bool = False
) -> tuple[int, list[tuple[Side, Side]]]:
    timer = FakeTimer(noise)
    taken = sample_pairs(
        timer,
        targets,
        random.Random(5),
        is_slow=lambda: slow,
        is_late=lambda: len(timer.orders) >= patience,
    ).pairs
    assert len(taken) == len(timer.orders)
    return len(taken), timer.orders


def sample_without_limits(timer: FakeTimer) -> Sample:
    return sample_pairs(timer, [], random.Random(5), is_slow=lambda: False, is_late=lambda: False)


@pytest.mark.parametrize(
    ("noise", "targets", "pairs"),
    [
        (0.001, [], CHECKPOINTS[0]),
        (0.001, [1.5, 4.0], CHECKPOINTS[0]),
        (0.001, [2.0], CHECKPOINTS[-1]),
        (0.3, [], CHECKPOINTS[-1]),
        (0.005, [2.004], CHECKPOINTS[1]),
    ],
    ids=[
        "no target",
        "far from all targets",
        "on a target",
        "too noisy for a narrow interval",
        "near a target",
    ],
)
def test_more_pairs_are_timed_near_a_target(noise: float, targets: list[float], pairs: int) -> None:
    assert count(noise, targets)[0] == pairs


@pytest.mark.parametrize(
    ("noise", "targets", "pairs"),
    [(0.001, [1.5, 4.0], EARLY_CHECKPOINT), (0.001, [2.0], CHECKPOINTS[-1]), (0.05, [4.0], CHECKPOINTS[-1])],
    ids=["far from all targets", "on a target", "too noisy for a narrow interval"],
)
def test_slow_pairs_may_stop_at_the_early_look(noise: float, targets: list[float], pairs: int) -> None:
    assert count(noise, targets, slow=True)[0] == pairs


def test_half_of_the_pairs_start_with_the_baseline() -> None:
    _, orders = count(0.001, [2.0])
    firsts = [order[0] is Side.BASELINE for order in orders]
    looks = (EARLY_CHECKPOINT, *CHECKPOINTS)
    assert [sum(firsts[:look]) for look in looks] == [look // 2 for look in looks]


@pytest.mark.parametrize(("patience", "pairs"), [(0, 1), (7, 7)])
def test_no_pair_begins_late_except_the_first(patience: int, pairs: int) -> None:
    assert count(0.3, [], patience=patience)[0] == pairs


class DroppingTimer(FakeTimer):
    """A timer; its n-th pair counts if ``counts(n)`` is true."""

    def __init__(self, counts: Callable[[int], bool]) -> None:
        super().__init__(noise=0.001)
        self._counts = counts

    def __call__(self, order: tuple[Side, Side]) -> TimedPair | None:
        pair = super().__call__(order)
        return pair if self._counts(len(self.orders)) else None


def test_a_dropped_pair_is_repeated_in_the_same_order() -> None:
    timer = DroppingTimer(lambda number: number % 3 != 0)
    sample = sample_without_limits(timer)
    assert (len(sample.pairs), sample.is_steady) == (CHECKPOINTS[0], True)
    assert sample.dropped == len(timer.orders) - CHECKPOINTS[0] > 0
    counted = [order for number, order in enumerate(timer.orders, 1) if number % 3]
    assert sum(order[0] is Side.BASELINE for order in counted) == CHECKPOINTS[0] // 2


@pytest.mark.parametrize("every", [3, 1000])
def test_sampling_stops_where_most_pairs_are_dropped(every: int) -> None:
    sample = sample_without_limits(DroppingTimer(lambda number: number % every == 0))
    assert not sample.is_steady
    assert sample.dropped == CHECKPOINTS[0]
