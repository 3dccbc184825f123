"""Geometry of a roofline plot."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.messages import ENGLISH, Speech
from grader.model.performance_bounds import Arithmetic
from grader.model.report import KernelReport, Roofline
from grader.report import quantities
from grader.report.efficiency import rate, unit
from grader.report.plots import axes
from grader.report.plots.axes import Axis, Tick

WIDTH, HEIGHT = 760.0, 420.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 112.0, 744.0, 28.0, 366.0
_MARGIN_FACTOR = 6.0
"""Factor by which the intensity axis extends beyond the outermost marks on either side."""
_CHARACTER, _LINE, _BESIDE = 7.6, 16.0, 12.0
"""Approximate width of a character, line height, and distance of a label from its mark."""


_Point = tuple[str, float, float, bool]
"""Name, intensity, rate, and whether it is a rung."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A kernel or a rung of the lab at ``x``, ``y``; ``before``: its label stands left of it."""

    x: float
    y: float
    name: str
    label_x: float
    label_y: float
    before: bool
    rung: bool
    text: str


@dataclass(frozen=True, slots=True)
class _Label:
    """The extent of a text: left end ``x``, baseline ``y``."""

    x: float
    y: float
    width: float

    def overlaps(self, other: "_Label") -> bool:
        """Whether the texts overlap."""
        apart = self.x > other.x + other.width or other.x > self.x + self.width
        return not apart and abs(self.y - other.y) < _LINE


@dataclass(frozen=True, slots=True)
class RooflinePlot:
    """Everything the template draws. ``roof``: SVG points of the slope and the peak."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    roof: str
    slope_label: Tick
    slope_y: float
    peak_label: Tick
    ridge_x: float
    ridge_label: str
    x_title: str
    marks: tuple[Mark, ...]
    title: str
    description: str


def plots(kernels: Sequence[KernelReport], speech: Speech = ENGLISH) -> tuple[RooflinePlot, ...]:
    """One plot per kind of arithmetic in which kernels have a rate, labelled in the language of ``speech``."""
    return tuple(
        _plot(known, known[0][1], speech)
        for arithmetic in Arithmetic
        if (
            known := [
                (k, r) for k in kernels if (r := k.roofline) and r.arithmetic is arithmetic and _rated(r)
            ]
        )
    )


def _rated(roofline: Roofline) -> bool:
    return roofline.intensity > 0 and roofline.peak > 0 and bool(roofline.operations_per_second)


def _plot(known: Sequence[tuple[KernelReport, Roofline]], device: Roofline, speech: Speech) -> RooflinePlot:
    points = [
        (kernel.name, roofline.intensity, roofline.operations_per_second or 0.0, False)
        for kernel, roofline in known
    ]
    rungs = {
        (point.rung, point.intensity, point.operations_per_second) for _, r in known for point in r.rungs
    }
    points += [(*point, True) for point in sorted(rungs)]
    ridge = device.peak / device.bandwidth
    intensities = [ridge, *(intensity for _, intensity, _, _ in points)]
    x = axes.logarithmic(
        [min(intensities) / _MARGIN_FACTOR, max(intensities) * _MARGIN_FACTOR], _LEFT, _RIGHT
    )
    rates = [reached for _, _, reached, _ in points]
    y = axes.logarithmic([*rates, device.peak, x.low * device.bandwidth], _BOTTOM, _TOP)
    start = max(x.low, y.low / device.bandwidth)
    roof = [(start, start * device.bandwidth), (ridge, device.peak), (x.high, device.peak)]
    quarter = (start**3 * ridge) ** 0.25
    slope = speech.says(
        "roofline-memory", bandwidth=speech.figure(quantities.bytes_per_second(device.bandwidth))
    )
    slope_x, slope_y = x.at(quarter) + _BESIDE, y.at(quarter * device.bandwidth) + _LINE
    texts = [_mark_text(point, device, speech) for point in points]
    return RooflinePlot(
        width=WIDTH,
        height=HEIGHT,
        left=_LEFT,
        right=_RIGHT,
        top=_TOP,
        bottom=_BOTTOM,
        x_ticks=tuple(Tick(x.at(tick), speech.figure(f"{tick:g}")) for tick in x.ticks()),
        y_ticks=tuple(Tick(y.at(tick), speech.figure(rate(device, tick))) for tick in y.ticks()),
        roof=" ".join(f"{x.at(i):.1f},{y.at(top):.1f}" for i, top in roof),
        slope_label=Tick(slope_x, slope),
        slope_y=slope_y,
        peak_label=Tick(
            y.at(device.peak) - 8,
            speech.says("roofline-peak", rate=speech.figure(rate(device, device.peak))),
        ),
        ridge_x=x.at(ridge),
        ridge_label=speech.says("roofline-ridge", intensity=speech.figure(quantities.intensity(ridge))),
        x_title=speech.says("roofline-axis", operations=unit(device)),
        marks=_marks(points, texts, x, y, [_Label(slope_x, slope_y, _CHARACTER * len(slope))]),
        title=speech.says("roofline-of", arithmetic=device.arithmetic.value),
        description=_description(points, texts, device, speech),
    )


def _marks(
    points: Sequence[_Point], texts: Sequence[str], x: Axis, y: Axis, taken: list[_Label]
) -> tuple[Mark, ...]:
    """Marks with labels moved where they would overlap; kernels are drawn above rungs."""
    marks = []
    for (name, intensity, reached, rung), text in zip(points, texts, strict=True):
        at, height = x.at(intensity), y.at(reached)
        width = _CHARACTER * len(name)
        before = at + _BESIDE + width > _RIGHT
        label_x = at - _BESIDE if before else at + _BESIDE
        label = _Label(label_x - width if before else label_x, height + 4, width)
        label = next((each for each in _label_positions(label) if not any(map(each.overlaps, taken))), label)
        taken.append(label)
        marks.append(Mark(at, height, name, label_x, label.y, before, rung, text))
    return tuple(reversed(marks))


def _mark_text(point: _Point, device: Roofline, speech: Speech) -> str:
    name, intensity, reached, _ = point
    return speech.says(
        "roofline-mark",
        name=name,
        intensity=speech.figure(quantities.intensity(intensity)),
        operations=unit(device),
        rate=speech.figure(rate(device, reached)),
    )


def _label_positions(label: _Label) -> Iterator[_Label]:
    """Positions inside the plot to try: beside the mark, then the lines below, then the lines above."""
    below = int((_BOTTOM - label.y) // _LINE)
    above = int((label.y - _TOP) // _LINE)
    for lines in [*range(below + 1), *range(-1, -above - 1, -1)]:
        yield _Label(label.x, label.y + lines * _LINE, label.width)


def _description(points: Sequence[_Point], texts: Sequence[str], device: Roofline, speech: Speech) -> str:
    roof = speech.says(
        "roofline-device",
        bandwidth=speech.figure(quantities.bytes_per_second(device.bandwidth)),
        peak=speech.figure(rate(device, device.peak)),
        ridge=speech.figure(quantities.intensity(device.peak / device.bandwidth)),
        operations=unit(device),
    )
    marks = (
        speech.says("roofline-rung" if rung else "roofline-kernel", mark=text)
        for (*_, rung), text in zip(points, texts, strict=True)
    )
    return " ".join([roof, *marks])
