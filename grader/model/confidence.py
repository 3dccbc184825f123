"""How sure a speedup is: the bounds of the median ratio of timed pairs, and when there are pairs enough.

Whatever the noise looks like, half of all pairs have a ratio above their true median. So the number above it in a
sample is binomial, and two of the sample itself bound the median: a sign test, which no outlier can move far.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from grader.model.run import TimedPair

LOOKS = (30, 60, 120)
"""After how many pairs it is seen whether they decide."""

EARLY_LOOK = 12
"""The same, where pairs take long."""

ERROR = 0.05
"""How often a kernel that is just as fast as asked for may be denied, all looks together."""

TAIL = ERROR / len((EARLY_LOOK, *LOOKS))
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


def interval(pairs: Iterable[TimedPair]) -> Interval:
    """The speedup of ``pairs``. Six pairs or fewer give their extremes, of which one is less sure.

    Raises: ``ValueError`` where there is no pair.
    """
    ratios = sorted(math.log(pair.baseline / pair.submission) for pair in pairs)
    if not ratios:
        msg = "a speedup needs a pair"
        raise ValueError(msg)
    rank = lower_rank(len(ratios), TAIL)
    return Interval(
        low=math.exp(ratios[rank - 1]), value=math.exp(median(ratios)), high=math.exp(ratios[-rank])
    )


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
