"""Confidence interval of a speedup: bounds of the median ratio of timed pairs, and whether there are enough pairs.

For any distribution of the noise, half of all pairs have a ratio above the true median. The number of sampled ratios
above it is therefore binomial, and two ratios of the sample bound the median. This is a sign test; no outlier can move
the bounds far.

Times also depend on the buffers' position in device memory. Pairs with the same buffers share this effect, so together
they say no more about other buffers than one pair does. A second interval therefore uses the median of each set of
buffers, and the wider bounds count.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from grader.model.run import TimedPair

CHECKPOINTS = (30, 60, 120)
"""Numbers of pairs after which ``is_enough`` is evaluated."""

EARLY_CHECKPOINT = 12
"""The same for pairs that take long."""

ERROR = 0.05
"""Probability, over all looks, that points are denied to a kernel exactly at the threshold."""

TAIL = ERROR / len((EARLY_CHECKPOINT, *CHECKPOINTS))
"""Probability that one bound at one look lies on the wrong side; each look is another chance of error."""

PRECISION = 0.01
"""Half-width of a sufficiently narrow interval, as a fraction of the speedup."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A speedup (baseline time over submission time) and its bounds."""

    low: float
    value: float
    high: float

    def decides(self, target: float) -> bool:
        """Whether the whole interval lies on one side of ``target``."""
        return not self.low < target <= self.high

    @property
    def half_width(self) -> float:
        """Half of the interval's width as a fraction of the speedup."""
        return math.sqrt(self.high / self.low) - 1


def interval(pairs: Sequence[TimedPair]) -> Interval:
    """The speedup of ``pairs``. For six pairs or fewer, or six places, the bounds are the less certain extremes.

    Raises: ``ValueError`` without pairs.
    """
    if not pairs:
        msg = "a speedup needs a pair"
        raise ValueError(msg)
    ratios = [math.log(pair.baseline / pair.submission) for pair in pairs]
    lows, highs = zip(*map(_bounds, (ratios, _of_places(pairs, ratios))), strict=True)
    return Interval(low=math.exp(min(lows)), value=math.exp(median(ratios)), high=math.exp(max(highs)))


def _of_places(pairs: Sequence[TimedPair], ratios: Sequence[float]) -> list[float]:
    """The median of ``ratios`` for each ``place``; a pair without one counts separately."""
    by_place: dict[object, list[float]] = {}
    for pair, ratio in zip(pairs, ratios, strict=True):
        by_place.setdefault(object() if pair.place is None else pair.place, []).append(ratio)
    return [median(found) for found in by_place.values()]


def _bounds(ratios: Iterable[float]) -> tuple[float, float]:
    ordered = sorted(ratios)
    rank = lower_rank(len(ordered), TAIL)
    return ordered[rank - 1], ordered[-rank]


def is_enough(pairs: Sequence[TimedPair], targets: Iterable[float]) -> bool:
    """Whether the interval of ``pairs`` is narrow and lies on one side of each speedup in ``targets``."""
    found = interval(pairs)
    return found.half_width <= PRECISION and all(map(found.decides, targets))


def lower_rank(count: int, tail: float) -> int:
    """The largest rank, at least 1, with an order statistic above the median with probability at most ``tail``."""
    cumulative = 0.0
    for rank in range(1, count // 2 + 1):
        cumulative += math.comb(count, rank - 1) * 0.5**count
        if cumulative > tail:
            return max(1, rank - 1)
    return max(1, count // 2)
