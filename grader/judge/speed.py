"""Speedups with their intervals, from a comparison or from stored samples."""

from statistics import median

from grader.model.confidence import interval
from grader.model.report import Speedup, SpeedupKind, Timing
from grader.model.run import Comparison, TimedComparison


def speedup(comparison: Comparison, baseline: str) -> Speedup:
    """Baseline time over submission time, with its interval; a single pair is its own interval."""
    found = interval(comparison.pairs)
    return Speedup(
        value=found.value,
        low=found.low,
        high=found.high,
        kind=_kind(comparison),
        baseline=baseline,
    )


def samples(comparison: TimedComparison, rung: str) -> Timing:
    """The samples measured against ``rung``, for the report."""
    return Timing(
        rung=rung,
        kind=_kind(comparison),
        pairs=comparison.pairs,
        launches=comparison.launches,
        dropped=comparison.dropped,
        clock=comparison.clock,
        took=comparison.wall_seconds,
    )


def replayed(timing: Timing) -> Speedup:
    """Recompute the speedup from stored samples. Raises: ``ValueError`` if there are none."""
    comparison = Comparison(pairs=timing.pairs, modelled=timing.kind is SpeedupKind.MODELLED)
    return speedup(comparison, timing.rung)


def _kind(comparison: Comparison) -> SpeedupKind:
    return SpeedupKind.MODELLED if comparison.modelled else SpeedupKind.MEASURED


def seconds(comparison: Comparison) -> float:
    """Time of the submission: the median over all pairs, in seconds."""
    return median(pair.submission for pair in comparison.pairs)
