"""From interleaved times to a speedup with its interval, and from kept samples to the same again."""

from statistics import median

from grader.model.confidence import interval
from grader.model.report import Speedup, SpeedupKind, Timing
from grader.model.run import Comparison


def speedup(comparison: Comparison, baseline: str) -> Speedup:
    """Baseline time over submission time between its bounds; one pair is its own interval."""
    found = interval(comparison.pairs)
    return Speedup(
        value=found.value,
        low=found.low,
        high=found.high,
        kind=_kind(comparison),
        baseline=baseline,
    )


def samples(comparison: Comparison, rung: str) -> Timing:
    """What was measured against ``rung``, to be kept."""
    return Timing(
        rung=rung,
        kind=_kind(comparison),
        pairs=comparison.pairs,
        launches=comparison.launches,
        dropped=comparison.dropped,
        clock=comparison.clock,
        took=comparison.took,
    )


def replayed(timing: Timing) -> Speedup:
    """The speedup that kept samples give. Raises: ``ValueError`` where there are none."""
    comparison = Comparison(pairs=timing.pairs, modelled=timing.kind is SpeedupKind.MODELLED)
    return speedup(comparison, timing.rung)


def _kind(comparison: Comparison) -> SpeedupKind:
    return SpeedupKind.MODELLED if comparison.modelled else SpeedupKind.MEASURED


def seconds(comparison: Comparison) -> float:
    """The submission's time: the median over all pairs, in seconds."""
    return median(pair.submission for pair in comparison.pairs)
