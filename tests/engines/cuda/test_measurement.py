"""A comparison from its first launch to its last pair, with a duel that needs no GPU."""

import secrets
from types import SimpleNamespace
from typing import Any, cast

import pytest

from grader.engines.cuda.measurement import GLANCED, measured
from grader.engines.cuda.pairs import Laps, Side
from grader.engines.cuda.stopwatch import Lap
from grader.model.confidence import LOOKS


class SteadyDuel:
    """The submission always takes half as long. Counts what is done beside the pairs."""

    def __init__(self) -> None:
        self.pairs = self.glances = self.moves = 0
        self.places = SimpleNamespace(nbytes=1000, move_on=self.move_on)

    def move_on(self) -> None:
        self.moves += 1

    def pair(self, order: tuple[Side, Side]) -> Laps:
        assert set(order) == set(Side)
        self.pairs += 1
        return Lap(seconds=2e-3, clock=1e9), Lap(seconds=1e-3, clock=1e9)

    def refuse_changed_originals(self, *, fixed_only: bool) -> None:
        assert fixed_only
        self.glances += 1


def timed(duel: SteadyDuel) -> Any:
    quiet = SimpleNamespace(listen=lambda duration, _gap: (0, duration))
    return measured(cast("Any", duel), cast("Any", quiet), targets=(), most_seconds=60.0)


def test_pairs_give_the_speedup_and_the_first_is_not_among_them() -> None:
    duel = SteadyDuel()
    comparison = timed(duel)
    assert len(comparison.pairs) == LOOKS[0] == duel.pairs - 1
    assert {pair.baseline / pair.submission for pair in comparison.pairs} == {2.0}


def test_every_pair_is_made_somewhere_else_than_the_one_before() -> None:
    duel = SteadyDuel()
    timed(duel)
    assert duel.moves == duel.pairs - 1


@pytest.mark.parametrize(("drawn", "glances"), [(0, LOOKS[0]), (1, 0)])
def test_fixed_inputs_are_looked_at_after_pairs_that_nobody_foresees(
    monkeypatch: pytest.MonkeyPatch, drawn: int, glances: int
) -> None:
    monkeypatch.setattr(secrets, "randbelow", {GLANCED: drawn}.__getitem__)
    duel = SteadyDuel()
    timed(duel)
    assert duel.glances == glances
