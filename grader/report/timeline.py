"""The timeline of a program: when its own code, the copy engines and the kernels of each stream were busy."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grader.model.program import Activity, Lane
from grader.model.reason import Reason, reason
from grader.model.spans import Span, joined, shared, total
from grader.report import quantities

_COPIES = frozenset({Lane.COPY_IN, Lane.COPY_OUT})
_LITTLE = 0.05
"""The share of the time below which a gain is not worth work."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One activity; ``start`` and ``length`` are fractions of the timeline."""

    activity: Activity
    start: float
    length: float


@dataclass(frozen=True, slots=True)
class Row:
    """Everything on one lane of a device; the kernels of each stream have a row of their own.

    ``busy`` is in seconds, ``share`` its fraction of the timeline.
    """

    lane: Lane
    title: Reason
    bars: tuple[Bar, ...]
    busy: float
    share: float

    @property
    def is_copying(self) -> bool:
        """Whether its bars are copies."""
        return self.lane in _COPIES


@dataclass(frozen=True, slots=True)
class Timeline:
    """Rows from the first to the last work of the device, ``start`` and ``end`` in seconds of the modelled clock.

    ``overlap`` is the fraction of the copying time during which a kernel runs too, ``None`` without copies, and
    ``both`` are these times, as fractions of the timeline. ``gain`` says what more overlap would save, or that it would
    save nothing; ``None`` where there is one kind of work.
    """

    start: float
    end: float
    rows: tuple[Row, ...]
    overlap: float | None
    both: tuple[Span, ...]
    gain: Reason | None


def timeline(activities: Sequence[Activity]) -> Timeline | None:
    """The timeline of ``activities``; ``None`` where the device did nothing."""
    device = [each for each in activities if each.lane is not Lane.HOST]
    if not device:
        return None
    start, end = min(each.start for each in device), max(each.end for each in device)
    span = max(end - start, 1e-12)
    seen = [each for each in activities if each.end > start and each.start < end]
    devices = len({each.device for each in device})
    rows = []
    for number, lane, stream in sorted({_row(each) for each in seen}, key=_place):
        found = [each for each in seen if _row(each) == (number, lane, stream)]
        title = reason(_TITLES[lane], number=stream)
        if devices > 1 and lane is not Lane.HOST:
            title = reason("lane-of-device", device=number, lane=title)
        busy = total(joined((max(each.start, start), min(each.end, end)) for each in found))
        bars = tuple(_bar(each, start, end, span) for each in found)
        rows.append(Row(lane, title, bars, busy, busy / span))
    copies = joined((each.start, each.end) for each in device if each.lane in _COPIES)
    kernels = joined((each.start, each.end) for each in device if each.lane is Lane.KERNELS)
    both = shared(copies, kernels)
    return Timeline(
        start=start,
        end=end,
        rows=tuple(rows),
        overlap=total(both) / total(copies) if copies else None,
        both=tuple(((first - start) / span, (last - start) / span) for first, last in both),
        gain=_gain(device, span),
    )


_TITLES = {
    Lane.HOST: "lane-host",
    Lane.COPY_IN: "lane-copies-in",
    Lane.COPY_OUT: "lane-copies-out",
    Lane.KERNELS: "lane-kernels",
}
_ENGINES = {
    Lane.COPY_IN: "lane-copies-in",
    Lane.COPY_OUT: "lane-copies-out",
    Lane.KERNELS: "lane-all-kernels",
}
_ORDER = list(Lane)


def _row(activity: Activity) -> tuple[int, Lane, int]:
    """The device, the lane and the stream of the row that an activity is in."""
    if activity.lane is Lane.HOST:
        return -1, activity.lane, 0
    return activity.device, activity.lane, activity.stream if activity.lane is Lane.KERNELS else 0


def _place(row: tuple[int, Lane, int]) -> tuple[int, int, int]:
    number, lane, stream = row
    return number, _ORDER.index(lane), stream


def _bar(activity: Activity, start: float, end: float, span: float) -> Bar:
    first, last = max(activity.start, start), min(activity.end, end)
    return Bar(activity, (first - start) / span, (last - first) / span)


def _gain(device: Iterable[Activity], span: float) -> Reason | None:
    """What the time would be if everything ran beside the engine with the most work."""
    spans: dict[tuple[int, Lane], list[Span]] = {}
    for each in device:
        spans.setdefault((each.device, each.lane), []).append((each.start, each.end))
    busy = {engine: total(joined(each)) for engine, each in spans.items()}
    if len(busy) == 1:
        return None
    (_, lane), most = max(busy.items(), key=lambda item: item[1])
    saved = span - most
    code = "timeline-gain" if saved > _LITTLE * span else "timeline-full"
    return reason(
        code,
        lane=reason(_ENGINES[lane]),
        span=quantities.seconds(span),
        busy=quantities.seconds(most),
        share=quantities.percent(most / span),
        gain=quantities.seconds(saved),
    )
