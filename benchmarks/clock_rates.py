"""How often points for speed are wrongly denied or given, under noise of many kinds: simulated, no GPU is needed.

``python -m benchmarks.clock_rates`` simulates whole decisions, writes ``results/clock-rates.json`` and the table in
``benchmarks/tables/clock.md``. ``--decisions N`` sets how many of each kind. Seeds are fixed, so the table never
changes.
"""

import argparse
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from typing import Any, NamedTuple

from grader.engines.cuda.measurement import sample_pairs
from grader.engines.cuda.paired_timer import Side
from grader.model.confidence import CHECKPOINTS, ERROR, interval
from grader.model.run import TimedPair
from tools import pages
from tools.paths import CHECKOUT

RESULTS = pages.RESULTS / "clock-rates.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "clock.md"
SECTION = "rates"

DECISIONS = 4000
TARGET = 4.0
SHARES = (1.0, 0.998, 0.995, 0.99, 0.98)
"""True speedups that are tried, as parts of what is asked for."""

_SECONDS = 1e-4


class Factors(NamedTuple):
    """Factors of a pair's times in ``buffer_set``: of the first launch, of the second, and of the submission's."""

    first: float
    second: float
    submission: float = 1.0
    buffer_set: int | None = None


Noise = Callable[[random.Random], Iterator[Factors]]
"""Endless pairs of launches."""


def quiet(rng: random.Random) -> Iterator[Factors]:
    """What an undisturbed GPU shows: half a percent, each launch for itself."""
    while True:
        yield Factors(rng.lognormvariate(0, 0.005), rng.lognormvariate(0, 0.005))


def outliers(rng: random.Random) -> Iterator[Factors]:
    """One launch in ten takes up to thirty times as long."""

    def factor() -> float:
        late = 1 + rng.paretovariate(1.0) if rng.random() < 0.1 else 1.0
        return min(late, 30.0) * rng.lognormvariate(0, 0.005)

    while True:
        yield Factors(factor(), factor())


def drift(rng: random.Random) -> Iterator[Factors]:
    """The device gets warm: every launch takes a little longer than the one before it, by a tenth in the end."""
    launches = 0
    while True:
        both = [
            (1 + 0.1 * (1 - math.exp(-(launches + each) / 60))) * rng.lognormvariate(0, 0.005)
            for each in (0, 1)
        ]
        launches += 2
        yield Factors(both[0], both[1])


def two_clocks(rng: random.Random) -> Iterator[Factors]:
    """The clock jumps between two frequencies, a seventh apart, and stays for some tens of launches."""
    slow = False
    while True:
        both = []
        for _ in range(2):
            slow ^= rng.random() < 0.03
            both.append((1.14 if slow else 1.0) * rng.lognormvariate(0, 0.005))
        yield Factors(both[0], both[1])


def second_is_slower(rng: random.Random) -> Iterator[Factors]:
    """Whatever is launched second takes three percent longer."""
    while True:
        yield Factors(rng.lognormvariate(0, 0.005), 1.03 * rng.lognormvariate(0, 0.005))


def wandering(rng: random.Random) -> Iterator[Factors]:
    """Load on the memory comes and goes over many launches, and hits both sides alike."""
    level = 0.0
    while True:
        both = []
        for _ in range(2):
            level = 0.95 * level + rng.gauss(0, 0.01)
            both.append(math.exp(level) * rng.lognormvariate(0, 0.005))
        yield Factors(both[0], both[1])


def buffer_sets(rng: random.Random, count: int = CHECKPOINTS[-1]) -> Iterator[Factors]:
    """In each of ``count`` buffer sets the submission takes about half a percent more or less time."""
    of_set = [rng.lognormvariate(0, 0.005) for _ in range(count)]
    for (number, submission), launches in zip(cycle(enumerate(of_set)), quiet(rng), strict=False):
        yield launches._replace(submission=submission, buffer_set=number)


NOISES: dict[str, Noise] = {
    "quiet": quiet,
    "outliers": outliers,
    "drift": drift,
    "two clocks": two_clocks,
    "the second is slower": second_is_slower,
    "wandering": wandering,
    "a buffer set for each pair": buffer_sets,
    "15 buffer sets in turn": partial(buffer_sets, count=15),
    "6 buffer sets in turn": partial(buffer_sets, count=6),
}


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of one kernel: whether it got its points, and after how many pairs."""

    given: bool
    pairs: int


def decide(noise: Noise, speedup: float, seed: int) -> Decision:
    """Time a kernel that is truly ``speedup`` times as fast, as the engine does, and decide as the judge does.

    It counts as slow, so that all looks are taken.
    """
    rng = random.Random(seed)
    factors = noise(rng)

    def pair(order: tuple[Side, Side]) -> TimedPair:
        drawn = next(factors)
        by_side = dict(zip(order, (drawn.first, drawn.second), strict=True))
        return TimedPair(
            baseline=speedup * _SECONDS * by_side[Side.BASELINE],
            submission=_SECONDS * by_side[Side.SUBMISSION] * drawn.submission,
            place=drawn.buffer_set,
        )

    taken = sample_pairs(pair, [TARGET], rng, is_slow=lambda: True, is_late=lambda: False).pairs
    return Decision(given=interval(taken).high >= TARGET, pairs=len(taken))


def rates(noise: Noise, decisions: int) -> dict[str, Any]:
    """How often points were given, and the mean number of pairs, by the true speedup as a part of the target."""
    found: dict[str, Any] = {}
    for share in SHARES:
        made = [decide(noise, share * TARGET, seed) for seed in range(decisions)]
        found[f"{share:g}"] = {
            "given": sum(decision.given for decision in made) / decisions,
            "pairs": sum(decision.pairs for decision in made) / decisions,
        }
    return found


def table(results: dict[str, Any]) -> str:
    """A row for each kind of noise."""
    header = ("noise", "denied at 100 %", "pairs", *(f"given at {share * 100:g} %" for share in SHARES[1:]))
    rows = []
    for name, found in results["rates"].items():
        given = [f"{found[f'{share:g}']['given']:.1%}" for share in SHARES[1:]]
        exact = found["1"]
        rows.append((name, f"{1 - exact['given']:.1%}", f"{exact['pairs']:.0f}", *given))
    caption = f"{results['decisions']} decisions each; at most {ERROR:.0%} may be denied."
    return f"{caption}\n\n{pages.table(header, rows, 1)}"


def main() -> None:
    """Simulate, and write the record and the page."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--decisions", type=int, default=DECISIONS)
    given = options.parse_args()
    found = {name: rates(noise, given.decisions) for name, noise in NOISES.items()}
    results = {"schema_version": 1, "target": TARGET, "decisions": given.decisions, "rates": found}
    pages.keep(results, RESULTS)
    pages.write({SECTION: table(results)}, PAGE)


if __name__ == "__main__":
    main()
