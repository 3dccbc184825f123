"""Geometry of a sweep plot: time or bandwidth against the value, registers and spills below."""

from collections.abc import Callable
from dataclasses import dataclass

from grader.messages import ENGLISH, Speech
from grader.model.reason import Reason, reason
from grader.model.sweep import SweepFigure, SweepReport, SweepRow
from grader.report import quantities
from grader.report.plots import axes
from grader.report.plots.axes import Axis, Tick

WIDTH = 760
_LEFT, _RIGHT = 92.0, 744.0
_TOP = 34.0
_FIGURE, _RESOURCE = 220.0, 70.0
_GAP = 46.0
_BELOW = 48.0
_LOG_RATIO = 20.0
"""From this ratio of the largest to the smallest figure on, the axis is logarithmic."""
_EQUAL_STEPS_UP_TO = 12
"""Up to this many values, all are equally spaced and each has a tick."""
_BAR = 26.0


@dataclass(frozen=True, slots=True)
class Mark:
    """One value in the upper panel; ``text`` is its figure, or its verdict where it has none."""

    x: float
    y: float
    text: str
    best: bool
    failed: bool


@dataclass(frozen=True, slots=True)
class Bar:
    """One value in a lower panel."""

    x: float
    y: float
    width: float
    height: float
    text: str


@dataclass(frozen=True, slots=True)
class Panel:
    """One of the stacked panels, from ``top`` to ``bottom``."""

    title: str
    top: float
    bottom: float
    ticks: tuple[Tick, ...]
    bars: tuple[Bar, ...] = ()
    spills: bool = False


@dataclass(frozen=True, slots=True)
class SweepPlot:
    """Everything the template draws. ``line``: SVG points of the curve through the values with a figure."""

    width: float
    height: float
    left: float
    right: float
    ticks: tuple[Tick, ...]
    figure: Panel
    line: str
    marks: tuple[Mark, ...]
    resources: tuple[Panel, ...]
    title: str
    description: str


def plot(report: SweepReport, speech: Speech = ENGLISH) -> SweepPlot:
    """The plot of a sweep, with texts in the language of ``speech``; failed values become crosses."""
    positions = _x_positions([row.value for row in report.rows])
    bottom = _TOP + _FIGURE
    marks = _marks(report, positions, _figure_axis(report, bottom), speech)
    resources = _resource_panels(report, positions, bottom + _GAP, speech)
    last = resources[-1].bottom if resources else bottom
    rising = sorted(zip((row.value for row in report.rows), marks, strict=True), key=lambda pair: pair[0])
    return SweepPlot(
        width=WIDTH,
        height=last + _BELOW,
        left=_LEFT,
        right=_RIGHT,
        ticks=_value_ticks(positions),
        figure=Panel(
            title=speech.says("axis-bandwidth")
            if _is_bandwidth(report)
            else speech.says("axis-time", kind=report.kind.value),
            top=_TOP,
            bottom=bottom,
            ticks=tuple(
                Tick(_figure_axis(report, bottom).at(tick), speech.figure(_text(report, tick)))
                for tick in _figure_axis(report, bottom).ticks()
            ),
        ),
        line=" ".join(f"{mark.x:.1f},{mark.y:.1f}" for _, mark in rising if not mark.failed),
        marks=marks,
        resources=resources,
        title=speech.says(
            "plot-of-bandwidth" if _is_bandwidth(report) else "plot-of-time",
            kernel=report.kernel,
            over=report.over,
        ),
        description=description(report, speech),
    )


def description(report: SweepReport, speech: Speech = ENGLISH) -> str:
    """The plot as text, for screen readers."""
    said = [*(_in_words(report, row) for row in report.rows), best_value(report)]
    return "; ".join(speech.figure(speech(each)) for each in said)


def best_value(report: SweepReport) -> Reason:
    """Which value is best, or that none has a time."""
    if report.best is None:
        return reason("sweep-nothing-timed")
    code = "sweep-highest-bandwidth" if _is_bandwidth(report) else "sweep-fastest"
    return reason(code, over=report.over, value=report.best.value)


def _in_words(report: SweepReport, row: SweepRow) -> Reason:
    point = _point(report, row)
    if row.registers is not None:
        point = reason("sweep-registers", point=point, registers=row.registers)
    return (
        reason("sweep-spills", point=point, size=quantities.size(row.spill_bytes))
        if row.spill_bytes
        else point
    )


def _point(report: SweepReport, row: SweepRow) -> Reason:
    figure = _figure(report, row)
    shown = reason("verdict", verdict=row.verdict.value) if figure is None else _text(report, figure)
    return reason("sweep-value", over=report.over, value=row.value, figure=shown)


def _is_bandwidth(report: SweepReport) -> bool:
    return report.shows is SweepFigure.BANDWIDTH


def _figure(report: SweepReport, row: SweepRow) -> float | None:
    return row.bandwidth if _is_bandwidth(report) else row.seconds


def _text(report: SweepReport, figure: float) -> str:
    if not figure:
        return "0"
    return quantities.bytes_per_second(figure) if _is_bandwidth(report) else quantities.seconds(figure)


def _figure_axis(report: SweepReport, bottom: float) -> Axis:
    known = [figure for row in report.rows if (figure := _figure(report, row))]
    if known and max(known) > _LOG_RATIO * min(known):
        return axes.logarithmic(known, bottom, _TOP)
    return axes.from_zero(known, bottom, _TOP)


def _x_positions(values: list[int]) -> dict[int, float]:
    """The x position of each value."""
    ordered = sorted(set(values))
    margin = _BAR
    if len(ordered) <= _EQUAL_STEPS_UP_TO:
        step = (_RIGHT - _LEFT - 2 * margin) / max(1, len(ordered) - 1)
        return {value: _LEFT + margin + index * step for index, value in enumerate(ordered)}
    axis = axes.linear(ordered, _LEFT + margin, _RIGHT - margin)
    return {value: axis.at(value) for value in ordered}


def _value_ticks(positions: dict[int, float]) -> tuple[Tick, ...]:
    if len(positions) <= _EQUAL_STEPS_UP_TO:
        return tuple(Tick(at, str(value)) for value, at in positions.items())
    axis = axes.linear(sorted(positions), min(positions.values()), max(positions.values()))
    values = sorted({axis.low, *(tick for tick in axis.ticks() if tick == round(tick))})
    return tuple(Tick(axis.at(value), f"{value:g}") for value in values)


def _marks(report: SweepReport, positions: dict[int, float], axis: Axis, speech: Speech) -> tuple[Mark, ...]:
    marks = []
    for row in report.rows:
        figure = _figure(report, row)
        text = speech.figure(speech(_point(report, row)))
        y = axis.start - 10 if figure is None else axis.at(figure)
        marks.append(Mark(positions[row.value], y, text, best=row == report.best, failed=figure is None))
    return tuple(marks)


def _resource_panels(
    report: SweepReport, positions: dict[int, float], top: float, speech: Speech
) -> tuple[Panel, ...]:
    """Panels of registers and of spills, where any; none for a size, since its values share one build."""
    if report.over in report.sizes:
        return ()
    kinds: list[tuple[str, Callable[[SweepRow], int | None], bool]] = [
        ("axis-registers", lambda row: row.registers, False),
        ("axis-spilled", lambda row: row.spill_bytes, True),
    ]
    width = min(_BAR, 0.7 * (_RIGHT - _LEFT) / max(1, len(positions)))
    panels = []
    for code, resource, spills in kinds:
        known = [(row.value, amount) for row in report.rows if (amount := resource(row)) is not None]
        if not any(amount for _, amount in known):
            continue
        axis = axes.from_zero([amount for _, amount in known], top + _RESOURCE, top)
        bars = tuple(
            Bar(
                x=positions[value] - width / 2,
                y=axis.at(amount),
                width=width,
                height=axis.start - axis.at(amount),
                text=speech.says("sweep-value", over=report.over, value=value, figure=amount),
            )
            for value, amount in known
        )
        ends = (Tick(axis.start, "0"), Tick(axis.end, f"{axis.high:g}"))
        panels.append(Panel(speech.says(code), top, top + _RESOURCE, ends, bars, spills))
        top += _RESOURCE + _GAP
    return tuple(panels)
