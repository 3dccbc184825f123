"""Pairs are timed until they decide, in both orders alike, and never too long."""

import random
from collections.abc import Callable

import pytest

from grader.engines.cuda.pairs import Side
from grader.engines.cuda.sampling import Sample, sampled
from grader.model.confidence import EARLY_LOOK, LOOKS
from grader.model.run import TimedPair


class Clock:
    """Times pairs whose true speedup is 2, with noise; ``orders`` are those that it was asked for."""

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
    clock = Clock(noise)
    taken = sampled(
        clock,
        targets,
        random.Random(5),
        is_slow=lambda: slow,
        is_late=lambda: len(clock.orders) >= patience,
    ).pairs
    assert len(taken) == len(clock.orders)
    return len(taken), clock.orders


def unhurried(clock: Clock) -> Sample:
    return sampled(clock, [], random.Random(5), is_slow=lambda: False, is_late=lambda: False)


@pytest.mark.parametrize(
    ("noise", "targets", "pairs"),
    [
        (0.001, [], LOOKS[0]),
        (0.001, [1.5, 4.0], LOOKS[0]),
        (0.001, [2.0], LOOKS[-1]),
        (0.3, [], LOOKS[-1]),
        (0.005, [2.004], LOOKS[1]),
    ],
    ids=[
        "nothing depends on it",
        "far from all targets",
        "on a target",
        "too loud to be narrow",
        "near a target",
    ],
)
def test_the_nearer_a_target_the_more_pairs(noise: float, targets: list[float], pairs: int) -> None:
    assert count(noise, targets)[0] == pairs


@pytest.mark.parametrize(
    ("noise", "targets", "pairs"),
    [(0.001, [1.5, 4.0], EARLY_LOOK), (0.001, [2.0], LOOKS[-1]), (0.05, [4.0], LOOKS[-1])],
    ids=["far from all targets", "on a target", "too loud to be narrow"],
)
def test_where_pairs_take_long_few_are_enough_if_they_decide(
    noise: float, targets: list[float], pairs: int
) -> None:
    assert count(noise, targets, slow=True)[0] == pairs


def test_half_of_the_pairs_before_every_look_have_the_baseline_first() -> None:
    _, orders = count(0.001, [2.0])
    firsts = [order[0] is Side.BASELINE for order in orders]
    looks = (EARLY_LOOK, *LOOKS)
    assert [sum(firsts[:look]) for look in looks] == [look // 2 for look in looks]


@pytest.mark.parametrize(("patience", "pairs"), [(0, 1), (7, 7)])
def test_no_pair_is_begun_too_late_but_there_is_always_one(patience: int, pairs: int) -> None:
    assert count(0.3, [], patience=patience)[0] == pairs


class Unsteady(Clock):
    """Of its pairs, those count of which ``counts`` says so, by their number."""

    def __init__(self, counts: Callable[[int], bool]) -> None:
        super().__init__(noise=0.001)
        self._counts = counts

    def __call__(self, order: tuple[Side, Side]) -> TimedPair | None:
        pair = super().__call__(order)
        return pair if self._counts(len(self.orders)) else None


def test_a_pair_that_does_not_count_is_taken_again_in_the_same_order() -> None:
    clock = Unsteady(lambda number: number % 3 != 0)
    sample = unhurried(clock)
    assert (len(sample.pairs), sample.is_steady) == (LOOKS[0], True)
    assert sample.dropped == len(clock.orders) - LOOKS[0] > 0
    counted = [order for number, order in enumerate(clock.orders, 1) if number % 3]
    assert sum(order[0] is Side.BASELINE for order in counted) == LOOKS[0] // 2


@pytest.mark.parametrize("every", [3, 1000])
def test_where_most_pairs_do_not_count_it_is_given_up(every: int) -> None:
    sample = unhurried(Unsteady(lambda number: number % every == 0))
    assert not sample.is_steady
    assert sample.dropped == LOOKS[0]
