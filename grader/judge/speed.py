"""From interleaved times to a speedup with an interval that needs no assumption about the noise.

Each pair gives one log ratio; the speedup is the exponential of their median and its bounds are order statistics of
the same sample (a sign-test interval), as the binomial distribution gives them.
"""

import math
from statistics import median

from grader.model.report import Speedup, SpeedupKind, Timing
from grader.model.run import Comparison

CONFIDENCE = 0.95


def speedup(comparison: Comparison, baseline: str) -> Speedup:
    """Baseline time over submission time, with its two-sided interval; one pair is its own interval."""
    ratios = sorted(math.log(pair.baseline / pair.submission) for pair in comparison.pairs)
    rank = lower_rank(len(ratios), (1 - CONFIDENCE) / 2)
    return Speedup(
        value=math.exp(median(ratios)),
        low=math.exp(ratios[rank - 1]),
        high=math.exp(ratios[-rank]),
        kind=_kind(comparison),
        baseline=baseline,
    )


def samples(comparison: Comparison, rung: str) -> Timing:
    """What was measured against ``rung``, to be kept."""
    return Timing(rung=rung, kind=_kind(comparison), pairs=comparison.pairs)


def replayed(timing: Timing) -> Speedup:
    """The speedup that kept samples give. Raises: ``ValueError`` where there are none."""
    comparison = Comparison(pairs=timing.pairs, modelled=timing.kind is SpeedupKind.MODELLED)
    return speedup(comparison, timing.rung)


def _kind(comparison: Comparison) -> SpeedupKind:
    return SpeedupKind.MODELLED if comparison.modelled else SpeedupKind.MEASURED


def upper_bound(comparison: Comparison) -> float:
    """The one-sided upper bound of the speedup: a threshold at or below it cannot be denied with confidence."""
    ratios = sorted(math.log(pair.baseline / pair.submission) for pair in comparison.pairs)
    return math.exp(ratios[-lower_rank(len(ratios), 1 - CONFIDENCE)])


def lower_rank(count: int, tail: float) -> int:
    """The largest rank r whose order statistic lies above the median with probability at most ``tail``; at least 1."""
    cumulative = 0.0
    for rank in range(1, count // 2 + 1):
        cumulative += math.comb(count, rank - 1) * 0.5**count
        if cumulative > tail:
            return max(1, rank - 1)
    return max(1, count // 2)


def seconds(comparison: Comparison) -> float:
    """The submission's time: the median over all pairs, in seconds."""
    return median(pair.submission for pair in comparison.pairs)
