"""Geometry of a ladder plot: bars for each rung's speedup and share of the roofline."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.messages import ENGLISH, Speech
from grader.model.ladder import LadderReport, RungTiming
from grader.model.reason import Reason, reason
from grader.report import quantities
from grader.report.plots import axes
from grader.report.plots.axes import Axis

WIDTH = 760
_LEFT, _MIDDLE, _RIGHT = 190.0, 480.0, 744.0
"""Right end of the names, left end of the second column, right edge."""
_FIGURE = 60.0
"""Width reserved for a figure after its bar."""
_TOP = 44.0
_ROW = 40.0
_BAR = 16.0


@dataclass(frozen=True, slots=True)
class Bar:
    """One figure as a bar from ``x``; ``text`` is the figure."""

    x: float
    length: float
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """One kernel of a rung, with bars ``height`` high from ``y``; no bar for an unknown figure."""

    name: str
    kernel: str
    y: float
    height: float
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """One kind of figure: the position of its zero and of 1 (the baseline's speed, the full roofline)."""

    title: str
    start: float
    one: float


@dataclass(frozen=True, slots=True)
class LadderPlot:
    """Everything the template draws."""

    width: float
    height: float
    top: float
    left: float
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    title: str
    description: str


def plot(
    ladder: LadderReport, rows: Sequence[RungTiming], title: str, speech: Speech = ENGLISH
) -> LadderPlot:
    """The plot of one case, with texts in the language of ``speech``."""
    speedups = [_speedup(ladder, row) for row in rows]
    speeds = axes.from_zero([1.0, *filter(None, speedups)], _LEFT, _MIDDLE - _FIGURE)
    shares = axes.from_zero(
        [1.0, *(row.share for row in rows if row.share is not None)], _MIDDLE, _RIGHT - _FIGURE
    )
    lines = []
    for number, (row, speedup) in enumerate(zip(rows, speedups, strict=True)):
        bars = []
        if speedup is not None:
            bars.append(_bar(speeds, speedup, speech.figure(quantities.times(speedup))))
        if row.share is not None:
            bars.append(_bar(shares, row.share, speech.figure(quantities.share(row.share))))
        lines.append(Line(f"{row.rung}, {row.language}", row.kernel, _TOP + number * _ROW, _BAR, tuple(bars)))
    over = speech.says("axis-speedup-over", kind=ladder.kind.value, baseline=ladder.baseline)
    return LadderPlot(
        width=WIDTH,
        height=_TOP + len(rows) * _ROW,
        top=_TOP,
        left=_LEFT,
        columns=(
            Column(over, speeds.start, speeds.at(1)),
            Column(speech.says("axis-roofline-share"), shares.start, shares.at(1)),
        ),
        lines=tuple(lines),
        title=title,
        description=description(ladder, rows, speech),
    )


def _speedup(ladder: LadderReport, row: RungTiming) -> float | None:
    speedup = row.over(ladder.baseline)
    return speedup.value if speedup is not None else None


def _bar(axis: Axis, value: float, text: str) -> Bar:
    return Bar(axis.start, axis.at(value) - axis.start, text)


def description(ladder: LadderReport, rows: Sequence[RungTiming], speech: Speech = ENGLISH) -> str:
    """The plot as text, for screen readers."""
    return "; ".join(speech.figure(speech(_in_words(ladder, row))) for row in rows)


def _in_words(ladder: LadderReport, row: RungTiming) -> Reason:
    speedup = row.over(ladder.baseline)
    figure = reason("no-time") if speedup is None else quantities.labelled(speedup)
    if row.share is not None:
        figure = reason("rung-share", figure=figure, share=quantities.share(row.share))
    return reason("rung-figure", kernel=row.kernel, rung=row.rung, language=row.language.value, figure=figure)
