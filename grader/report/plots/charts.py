"""Geometry of the small charts, in percent of their width; templates draw them as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.model.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a stacked bar."""

    verdict: Verdict
    count: int
    start: float
    length: float


def stacked(counts: Sequence[tuple[Verdict, int]]) -> tuple[Segment, ...]:
    """One segment per count, together as wide as the bar."""
    total = sum(count for _, count in counts)
    segments: list[Segment] = []
    start = 0.0
    for verdict, count in counts:
        length = 100 * count / total
        segments.append(Segment(verdict, count, start, length))
        start += length
    return tuple(segments)


def bar_length(value: float, longest: float) -> float:
    """A bar's length where the longest is 100: 0 for zero, otherwise at least 0.5 so that it stays visible."""
    return 0.0 if value <= 0 or longest <= 0 else min(100.0, max(0.5, 100 * value / longest))
