"""Spans of time: their union, and how long two sets of them have in common."""

from collections.abc import Iterable

Span = tuple[float, float]
"""Start and end in seconds."""


def joined(spans: Iterable[Span]) -> list[Span]:
    """The same time as ``spans``, in spans that do not overlap, by their start."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def total(spans: Iterable[Span]) -> float:
    """The seconds of ``spans`` that do not overlap."""
    return sum(end - start for start, end in spans)


def common(first: Iterable[Span], second: Iterable[Span]) -> float:
    """The seconds that two sets of spans share; neither set overlaps itself."""
    others = list(second)
    return sum(
        max(0.0, min(end, other_end) - max(start, other))
        for start, end in first
        for other, other_end in others
    )
