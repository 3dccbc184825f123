"""How sure a speedup is: the bounds of the median ratio of timed pairs, and when there are pairs enough.

Whatever the noise looks like, half of all pairs have a ratio above their true median. So the number above it in a
sample is binomial, and two of the sample itself bound the median: a sign test, which no outlier can move far.

Where kernels run in the device's memory decides over their times, too. Pairs in one place are alike in that, and tell
no more about others than one of them. So places are counted as well, by the median of each, and the wider bounds hold.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from grader.model.run import TimedPair

CHECKPOINTS = (30, 60, 120)
"""After how many pairs it is seen whether they decide."""

EARLY_CHECKPOINT = 12
"""The same, where pairs take long."""

ERROR = 0.05
"""How often a kernel that is just as fast as asked for may be denied, all looks together."""

TAIL = ERROR / len((EARLY_CHECKPOINT, *CHECKPOINTS))
"""How often one bound at one look may lie on the wrong side: each look is one more chance to err."""

PRECISION = 0.01
"""Half of an interval that is narrow enough, as a part of the speedup."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A speedup, baseline time over submission time, between its bounds."""

    low: float
    value: float
    high: float

    def decides(self, target: float) -> bool:
        """Whether it lies on one side of ``target``."""
        return not self.low < target <= self.high

    @property
    def half_width(self) -> float:
        """As a part of the speedup."""
        return math.sqrt(self.high / self.low) - 1


def interval(pairs: Sequence[TimedPair]) -> Interval:
    """The speedup of ``pairs``. Six pairs or fewer give their extremes, of which one is less sure; so do places.

    Raises: ``ValueError`` where there is no pair.
    """
    if not pairs:
        msg = "a speedup needs a pair"
        raise ValueError(msg)
    ratios = [math.log(pair.baseline / pair.submission) for pair in pairs]
    lows, highs = zip(*map(_bounds, (ratios, _of_places(pairs, ratios))), strict=True)
    return Interval(low=math.exp(min(lows)), value=math.exp(median(ratios)), high=math.exp(max(highs)))


def _of_places(pairs: Sequence[TimedPair], ratios: Sequence[float]) -> list[float]:
    """The median of each place's ``ratios``; a pair without a place is one for itself."""
    by_place: dict[object, list[float]] = {}
    for pair, ratio in zip(pairs, ratios, strict=True):
        by_place.setdefault(object() if pair.place is None else pair.place, []).append(ratio)
    return [median(found) for found in by_place.values()]


def _bounds(ratios: Iterable[float]) -> tuple[float, float]:
    ordered = sorted(ratios)
    rank = lower_rank(len(ordered), TAIL)
    return ordered[rank - 1], ordered[-rank]


def is_enough(pairs: Sequence[TimedPair], targets: Iterable[float]) -> bool:
    """Whether ``pairs`` decide every one of ``targets``, which are speedups, and tell the speedup narrowly."""
    found = interval(pairs)
    return found.half_width <= PRECISION and all(map(found.decides, targets))


def lower_rank(count: int, tail: float) -> int:
    """The largest rank r whose order statistic lies above the median with probability at most ``tail``; at least 1."""
    cumulative = 0.0
    for rank in range(1, count // 2 + 1):
        cumulative += math.comb(count, rank - 1) * 0.5**count
        if cumulative > tail:
            return max(1, rank - 1)
    return max(1, count // 2)
