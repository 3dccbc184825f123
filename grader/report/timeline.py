"""The timeline of a program: when its own code, the copy engines and the kernels of each stream were busy."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grader.model.program import Activity, Lane
from grader.model.reason import Reason, reason
from grader.model.spans import common, joined, total

_COPIES = frozenset({Lane.COPY_IN, Lane.COPY_OUT})


@dataclass(frozen=True, slots=True)
class Bar:
    """One activity; ``start`` and ``length`` are fractions of the timeline."""

    activity: Activity
    start: float
    length: float


@dataclass(frozen=True, slots=True)
class Row:
    """Everything on one lane; the kernels of each stream have a row of their own."""

    lane: Lane
    title: Reason
    bars: tuple[Bar, ...]
    busy: float

    @property
    def is_copying(self) -> bool:
        """Whether its bars are copies."""
        return self.lane in _COPIES


@dataclass(frozen=True, slots=True)
class Timeline:
    """Rows from the first to the last work of the device, ``start`` and ``end`` in seconds of the modelled clock.

    ``overlap`` is the fraction of the copying time during which a kernel runs too, ``None`` without copies.
    """

    start: float
    end: float
    rows: tuple[Row, ...]
    overlap: float | None


def timeline(activities: Sequence[Activity]) -> Timeline | None:
    """The timeline of ``activities``; ``None`` where the device did nothing."""
    device = [each for each in activities if each.lane is not Lane.HOST]
    if not device:
        return None
    start, end = min(each.start for each in device), max(each.end for each in device)
    span = max(end - start, 1e-12)
    rows = []
    for lane in Lane:
        for stream, found in _by_row(lane, activities):
            seen = [each for each in found if each.end > start and each.start < end]
            if seen:
                title = (
                    reason("lane-kernels", number=stream) if lane is Lane.KERNELS else reason(_TITLES[lane])
                )
                bars = tuple(_bar(each, start, end, span) for each in seen)
                rows.append(Row(lane, title, bars, sum(each.end - each.start for each in seen)))
    return Timeline(start, end, tuple(rows), _overlap(device))


_TITLES = {Lane.HOST: "lane-host", Lane.COPY_IN: "lane-copies-in", Lane.COPY_OUT: "lane-copies-out"}


def _by_row(lane: Lane, activities: Sequence[Activity]) -> list[tuple[int, list[Activity]]]:
    own = [each for each in activities if each.lane is lane]
    if lane is not Lane.KERNELS:
        return [(0, own)]
    return [
        (stream, [each for each in own if each.stream == stream])
        for stream in sorted({e.stream for e in own})
    ]


def _bar(activity: Activity, start: float, end: float, span: float) -> Bar:
    first, last = max(activity.start, start), min(activity.end, end)
    return Bar(activity, (first - start) / span, (last - first) / span)


def _overlap(device: Iterable[Activity]) -> float | None:
    each = list(device)
    copies = joined((a.start, a.end) for a in each if a.lane in _COPIES)
    kernels = joined((a.start, a.end) for a in each if a.lane is Lane.KERNELS)
    copying = total(copies)
    return common(copies, kernels) / copying if copying else None
