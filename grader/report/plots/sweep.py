"""The geometry of a sweep's plot: time or bandwidth against the value, registers and spills below it."""

from collections.abc import Callable
from dataclasses import dataclass

from grader.model.sweep import SweepFigure, SweepReport, SweepRow
from grader.report import quantities
from grader.report.plots import axes
from grader.report.plots.axes import Axis

WIDTH = 760
_LEFT, _RIGHT = 92.0, 744.0
_TOP = 34.0
_FIGURE, _NEED = 220.0, 70.0
_GAP = 46.0
_BELOW = 48.0
_SPREAD = 20.0
"""From which ratio of the greatest to the least figure on its axis is logarithmic."""
_FEW = 12
"""Up to how many values each gets an equal step and its own number."""
_BAR = 26.0


@dataclass(frozen=True, slots=True)
class Tick:
    """A number beside an axis."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Mark:
    """One value in the upper panel; ``text`` is its figure, or why it has none."""

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
    """Everything the template draws. ``line`` are the points of the curve through the right values."""

    width: float
    height: float
    left: float
    right: float
    ticks: tuple[Tick, ...]
    figure: Panel
    line: str
    marks: tuple[Mark, ...]
    needs: tuple[Panel, ...]
    title: str
    description: str


def plot(report: SweepReport) -> SweepPlot:
    """The plot of a sweep, whatever failed in it."""
    places = _places([row.value for row in report.rows])
    bottom = _TOP + _FIGURE
    marks = _marks(report, places, _figure_axis(report, bottom))
    needs = _needs(report, places, bottom + _GAP)
    last = needs[-1].bottom if needs else bottom
    rising = sorted(zip((row.value for row in report.rows), marks, strict=True), key=lambda pair: pair[0])
    return SweepPlot(
        width=WIDTH,
        height=last + _BELOW,
        left=_LEFT,
        right=_RIGHT,
        ticks=_value_ticks(places),
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
        needs=needs,
        title=f"{'Bandwidth' if _is_bandwidth(report) else 'Time'} of {report.kernel} against {report.over}",
        description=description(report),
    )


def description(report: SweepReport) -> str:
    """The plot in words."""
    parts = []
    for row in report.rows:
        figure = _figure(report, row)
        what = row.verdict.value if figure is None else _text(report, figure)
        needs = "" if row.registers is None else f" with {row.registers} registers"
        spills = f" and {quantities.size(row.spill_bytes)} spilled" if row.spill_bytes else ""
        parts.append(f"{report.over} {row.value}: {what}{needs}{spills}")
    best = report.best
    superlative = "Most bytes a second" if _is_bandwidth(report) else "Fastest"
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
    if known and max(known) > _SPREAD * min(known):
        return axes.logarithmic(known, bottom, _TOP)
    return axes.from_zero(known, bottom, _TOP)


def _places(values: list[int]) -> dict[int, float]:
    """Where each value lies from left to right."""
    ordered = sorted(set(values))
    margin = _BAR
    if len(ordered) <= _FEW:
        step = (_RIGHT - _LEFT - 2 * margin) / max(1, len(ordered) - 1)
        return {value: _LEFT + margin + index * step for index, value in enumerate(ordered)}
    axis = axes.linear(ordered, _LEFT + margin, _RIGHT - margin)
    return {value: axis.at(value) for value in ordered}


def _value_ticks(places: dict[int, float]) -> tuple[Tick, ...]:
    if len(places) <= _FEW:
        return tuple(Tick(at, str(value)) for value, at in places.items())
    axis = axes.linear(sorted(places), min(places.values()), max(places.values()))
    values = sorted({axis.low, *(tick for tick in axis.ticks() if tick == round(tick))})
    return tuple(Tick(axis.at(value), f"{value:g}") for value in values)


def _marks(report: SweepReport, places: dict[int, float], axis: Axis) -> tuple[Mark, ...]:
    marks = []
    for row in report.rows:
        figure = _figure(report, row)
        text = f"{report.over} {row.value}: {row.verdict.value if figure is None else _text(report, figure)}"
        y = axis.start - 10 if figure is None else axis.at(figure)
        marks.append(Mark(places[row.value], y, text, best=row == report.best, failed=figure is None))
    return tuple(marks)


def _needs(report: SweepReport, places: dict[int, float], top: float) -> tuple[Panel, ...]:
    """Registers, then spills where there are any; nothing for a size, which needs the same code for all values."""
    if report.over in report.sizes:
        return ()
    kinds: list[tuple[str, Callable[[SweepRow], int | None], bool]] = [
        ("registers per thread", lambda row: row.registers, False),
        ("bytes spilled per thread", lambda row: row.spill_bytes, True),
    ]
    width = min(_BAR, 0.7 * (_RIGHT - _LEFT) / max(1, len(places)))
    panels = []
    for title, need, spills in kinds:
        known = [(row.value, amount) for row in report.rows if (amount := need(row)) is not None]
        if not any(amount for _, amount in known):
            continue
        axis = axes.from_zero([amount for _, amount in known], top + _NEED, top)
        bars = tuple(
            Bar(
                x=places[value] - width / 2,
                y=axis.at(amount),
                width=width,
                height=axis.start - axis.at(amount),
                text=f"{report.over} {value}: {amount}",
            )
            for value, amount in known
        )
        ends = (Tick(axis.start, "0"), Tick(axis.end, f"{axis.high:g}"))
        panels.append(Panel(title, top, top + _NEED, ends, bars, spills))
        top += _NEED + _GAP
    return tuple(panels)
