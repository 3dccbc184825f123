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


def shared(first: Iterable[Span], second: Iterable[Span]) -> list[Span]:
    """The spans that two sets have in common; both are by their start, and neither overlaps itself."""
    ours, theirs, found = list(first), list(second), []
    mine = other = 0
    while mine < len(ours) and other < len(theirs):
        start, end = max(ours[mine][0], theirs[other][0]), min(ours[mine][1], theirs[other][1])
        if start < end:
            found.append((start, end))
        if ours[mine][1] < theirs[other][1]:
            mine += 1
        else:
            other += 1
    return found


def common(first: Iterable[Span], second: Iterable[Span]) -> float:
    """The seconds that two sets of spans share; both are by their start, and neither overlaps itself."""
    return total(shared(first, second))
