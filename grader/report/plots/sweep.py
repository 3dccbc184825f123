"""Geometry of a sweep plot: time or bandwidth against the value, registers and spills below."""

from collections.abc import Callable
from dataclasses import dataclass

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


def plot(report: SweepReport) -> SweepPlot:
    """The plot of a sweep; failed values become crosses."""
    positions = _x_positions([row.value for row in report.rows])
    bottom = _TOP + _FIGURE
    marks = _marks(report, positions, _figure_axis(report, bottom))
    resources = _resource_panels(report, positions, bottom + _GAP)
    last = resources[-1].bottom if resources else bottom
    rising = sorted(zip((row.value for row in report.rows), marks, strict=True), key=lambda pair: pair[0])
    return SweepPlot(
        width=WIDTH,
        height=last + _BELOW,
        left=_LEFT,
        right=_RIGHT,
        ticks=_value_ticks(positions),
        figure=Panel(
            title="useful bandwidth" if _is_bandwidth(report) else f"time, {report.kind}",
            top=_TOP,
            bottom=bottom,
            ticks=tuple(
                Tick(_figure_axis(report, bottom).at(tick), _text(report, tick))
                for tick in _figure_axis(report, bottom).ticks()
            ),
        ),
        line=" ".join(f"{mark.x:.1f},{mark.y:.1f}" for _, mark in rising if not mark.failed),
        marks=marks,
        resources=resources,
        title=f"{'Bandwidth' if _is_bandwidth(report) else 'Time'} of {report.kernel} against {report.over}",
        description=description(report),
    )


def description(report: SweepReport) -> str:
    """The plot as text, for screen readers."""
    parts = []
    for row in report.rows:
        figure = _figure(report, row)
        what = row.verdict.value if figure is None else _text(report, figure)
        needs = "" if row.registers is None else f" with {row.registers} registers"
        spills = f" and {quantities.size(row.spill_bytes)} spilled" if row.spill_bytes else ""
        parts.append(f"{report.over} {row.value}: {what}{needs}{spills}")
    best = report.best
    superlative = "Highest bandwidth" if _is_bandwidth(report) else "Fastest"
    ending = f". {superlative} at {best.value}." if best else ". No value has a time."
    return "; ".join(parts) + ending


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


def _marks(report: SweepReport, positions: dict[int, float], axis: Axis) -> tuple[Mark, ...]:
    marks = []
    for row in report.rows:
        figure = _figure(report, row)
        text = f"{report.over} {row.value}: {row.verdict.value if figure is None else _text(report, figure)}"
        y = axis.start - 10 if figure is None else axis.at(figure)
        marks.append(Mark(positions[row.value], y, text, best=row == report.best, failed=figure is None))
    return tuple(marks)


def _resource_panels(report: SweepReport, positions: dict[int, float], top: float) -> tuple[Panel, ...]:
    """Panels of registers and of spills, where any; none for a size, since its values share one build."""
    if report.over in report.sizes:
        return ()
    kinds: list[tuple[str, Callable[[SweepRow], int | None], bool]] = [
        ("registers per thread", lambda row: row.registers, False),
        ("bytes spilled per thread", lambda row: row.spill_bytes, True),
    ]
    width = min(_BAR, 0.7 * (_RIGHT - _LEFT) / max(1, len(positions)))
    panels = []
    for title, resource, spills in kinds:
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
                text=f"{report.over} {value}: {amount}",
            )
            for value, amount in known
        )
        ends = (Tick(axis.start, "0"), Tick(axis.end, f"{axis.high:g}"))
        panels.append(Panel(title, top, top + _RESOURCE, ends, bars, spills))
        top += _RESOURCE + _GAP
    return tuple(panels)
