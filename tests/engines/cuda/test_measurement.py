"""A comparison from its first launch to its last pair, with a duel that needs no GPU."""

import secrets
from collections import Counter
from itertools import cycle
from types import SimpleNamespace
from typing import Any, cast

import pytest

from grader.engines.cuda.batch import AVERAGED, BRIEF, ENOUGH, GROUPS, SHORT, VISITS
from grader.engines.cuda.measurement import measured
from grader.engines.cuda.pairs import Measurements, Side
from grader.engines.cuda.stopwatch import Measurement
from grader.model.confidence import LOOKS

PLACES = 10


class SteadyDuel:
    """The submission always takes half as long as the baseline, both ``late`` times as long at first."""

    def __init__(self, seconds: float = BRIEF, late: float = 1.0) -> None:
        self.seconds = seconds
        self.late = late
        self.pairs = self.moves = 0
        self.timed: list[int] = []
        self.watched: list[int] = []
        self.places = SimpleNamespace(
            nbytes=1000,
            number=0,
            group=1,
            most=4 * GROUPS,
            in_groups_of=self.in_groups_of,
            begin_pair=lambda: None,
            move_on=self.move_on,
            multiply=lambda _count: None,
        )

    def in_groups_of(self, count: int) -> None:
        self.places.group = count

    def move_on(self) -> None:
        self.moves += 1
        self.places.number = self.moves % PLACES

    def pair(self, order: tuple[Side, Side]) -> Measurements:
        assert set(order) == set(Side)
        self.pairs += 1
        self.timed.append(self.moves)
        seconds = self.seconds * (self.late if self.pairs == 1 else 1.0)
        return Measurement(seconds=seconds, clock=1e9), Measurement(seconds=seconds / 2, clock=1e9)

    def watch(self) -> None:
        self.watched.append(self.moves)


def timed(duel: SteadyDuel) -> Any:
    quiet = SimpleNamespace(listen=lambda duration, _gap: (0, duration))
    return measured(cast("Any", duel), cast("Any", quiet), targets=(), most_seconds=60.0)


def test_pairs_give_the_speedup_and_the_first_is_not_among_them() -> None:
    duel = SteadyDuel()
    comparison = timed(duel)
    assert len(comparison.pairs) == LOOKS[0] == duel.pairs - 1
    assert {pair.baseline / pair.submission for pair in comparison.pairs} == {2.0}
    assert comparison.launches == 1


def test_every_pair_is_made_somewhere_else_than_the_one_before() -> None:
    duel = SteadyDuel()
    timed(duel)
    assert duel.moves == duel.pairs - 1


@pytest.mark.parametrize("seconds", [BRIEF, BRIEF / 2])
def test_pairs_in_the_same_places_are_known_by_it(seconds: float) -> None:
    duel = SteadyDuel(seconds)
    found = Counter(pair.place for pair in timed(duel).pairs)
    places = PLACES * LOOKS[0] // duel.moves
    assert list(found.values()) == [LOOKS[0] // places] * places


@pytest.mark.parametrize(("visits", "brief"), VISITS)
def test_a_pair_that_is_brief_is_made_in_several_places(visits: int, brief: float) -> None:
    duel = SteadyDuel(brief / 2)
    comparison = timed(duel)
    assert duel.moves == duel.pairs - 2 == visits * LOOKS[0]
    assert {pair.baseline for pair in comparison.pairs} == {duel.seconds}
    assert comparison.launches == visits


def test_a_slow_first_launch_does_not_decide_how_many_are_timed_together() -> None:
    nearly_long = 1.8 * SHORT
    assert timed(SteadyDuel(nearly_long, late=2.0)).launches == timed(SteadyDuel(nearly_long)).launches > 2


@pytest.mark.parametrize(("seconds", "are_told"), [(BRIEF, True), (2 * ENOUGH / AVERAGED, False)])
def test_pairs_of_large_batches_have_the_mean_of_many_places(seconds: float, *, are_told: bool) -> None:
    assert all((pair.place is not None) == are_told for pair in timed(SteadyDuel(seconds)).pairs)


def test_where_a_batch_is_watched_none_is_timed_before_the_next_move(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = cycle([0, 1, 1])
    monkeypatch.setattr(secrets, "randbelow", lambda _: next(drawn))
    duel = SteadyDuel(SHORT)
    assert timed(duel).launches > 1
    assert len(duel.watched) == LOOKS[0] // 3
    assert not set(duel.watched) & set(duel.timed)
