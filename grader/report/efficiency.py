"""A kernel's roofline and latency arithmetic in words, and the geometry of the roofline's plot."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.model.report import KernelReport, LatencyHiding, Roofline, SpeedupKind
from grader.model.roofline import Arithmetic
from grader.report import quantities
from grader.report.plots import axes
from grader.report.plots.axes import Axis

WIDTH, HEIGHT = 760.0, 420.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 112.0, 744.0, 28.0, 366.0
_ROOM = 6.0
"""How many times beyond the outermost mark the intensity's axis reaches, to either side."""
_CHARACTER, _LINE, _BESIDE = 7.6, 16.0, 12.0
"""Width and height of a label's letters, about, and how far it stands from its mark."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A number beside an axis."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A kernel, or a rung of the lab, where it lies; its name stands at ``label_y``, before or after it."""

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
    """Where a text lies: from ``x`` on, standing on ``y``."""

    x: float
    y: float
    width: float

    def meets(self, other: "_Label") -> bool:
        """Whether both cannot be read."""
        apart = self.x > other.x + other.width or other.x > self.x + self.width
        return not apart and abs(self.y - other.y) < _LINE


@dataclass(frozen=True, slots=True)
class RooflinePlot:
    """Everything the template draws. ``roof`` are the points of the slope and of the peak."""

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


def roofline_sentence(roofline: Roofline, kind: SpeedupKind) -> str:
    """Intensity, what was reached, and its share of what the device allows; ``kind`` is that of the time."""
    passed = _bandwidth_sentence(roofline, kind)
    if not roofline.intensity:
        return f"it only moves data: {passed}" if passed else "it only moves data"
    unit = _unit(roofline)
    asked = f"{quantities.intensity(roofline.intensity)} {unit} per byte moved"
    best = f"{quantities.intensity(roofline.best_intensity)} at best"
    limit = f"{_rate(roofline, roofline.bound)} that {_bound_name(roofline)}"
    if roofline.operations_per_second is None or roofline.share is None:
        return f"{asked} ({best}); the bound is the {limit}"
    reached = f"{_rate(roofline, roofline.operations_per_second)} {kind}"
    share = f"{quantities.share(roofline.share)} of the {limit}"
    caches = "; caches serve what memory alone could not" if roofline.share > 1 else ""
    return f"{asked} ({best}); {reached}, {share}{caches}"


def _bandwidth_sentence(roofline: Roofline, kind: SpeedupKind) -> str:
    if roofline.bytes_per_second is None:
        return ""
    share = quantities.share(roofline.bytes_per_second / roofline.bandwidth)
    return (
        f"its arrays pass at {quantities.bytes_per_second(roofline.bytes_per_second)} {kind}, "
        f"{share} of the memory's {quantities.bytes_per_second(roofline.bandwidth)}"
    )


def latency_sentence(latency: LatencyHiding) -> str:
    """Whether there are warps enough to hide the latency of global memory."""
    asked = (
        f"a warp issues {quantities.average(latency.instructions)} instructions per load; hiding "
        f"{latency.latency:g} clocks takes {latency.needed} warps per SM "
        f"({latency.latency:g} / ({latency.clocks_per_instruction:g} × "
        f"{quantities.average(latency.instructions)}), and one)"
    )
    if latency.there >= latency.needed:
        return f"{asked}; {latency.there} fit: enough"
    if latency.needed > latency.most:
        most = f"{latency.there} fit, of {latency.most} at most"
        return f"{asked}; {most}: it needs more work between loads, or more loads at once"
    return f"{asked}; {latency.there} fit: too few"


def explained(kernel: KernelReport, kind: SpeedupKind) -> Iterator[tuple[str, str]]:
    """Sentences on what bounds a kernel, each under a name."""
    needs = kernel.resources
    if needs is not None and needs.lift:
        yield "Occupancy", f"{needs.active_warps} warps on an SM; {needs.lift}"
    if kernel.roofline is not None:
        yield "Roofline", roofline_sentence(kernel.roofline, kind)
    if kernel.latency is not None:
        yield "Latency", latency_sentence(kernel.latency)


def plots(kernels: Sequence[KernelReport]) -> tuple[RooflinePlot, ...]:
    """One plot for each arithmetic in which kernels have a rate."""
    return tuple(
        _plot(known, known[0][1])
        for arithmetic in Arithmetic
        if (
            known := [
                (k, r) for k in kernels if (r := k.roofline) and r.arithmetic is arithmetic and _rated(r)
            ]
        )
    )


def _rated(roofline: Roofline) -> bool:
    return roofline.intensity > 0 and roofline.peak > 0 and bool(roofline.operations_per_second)


def _plot(known: Sequence[tuple[KernelReport, Roofline]], device: Roofline) -> RooflinePlot:
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
    x = axes.logarithmic([min(intensities) / _ROOM, max(intensities) * _ROOM], _LEFT, _RIGHT)
    rates = [rate for _, _, rate, _ in points]
    y = axes.logarithmic([*rates, device.peak, x.low * device.bandwidth], _BOTTOM, _TOP)
    start = max(x.low, y.low / device.bandwidth)
    roof = [(start, start * device.bandwidth), (ridge, device.peak), (x.high, device.peak)]
    quarter = (start**3 * ridge) ** 0.25
    slope = f"memory {quantities.bytes_per_second(device.bandwidth)}"
    slope_x, slope_y = x.at(quarter) + _BESIDE, y.at(quarter * device.bandwidth) + _LINE
    return RooflinePlot(
        width=WIDTH,
        height=HEIGHT,
        left=_LEFT,
        right=_RIGHT,
        top=_TOP,
        bottom=_BOTTOM,
        x_ticks=tuple(Tick(x.at(tick), f"{tick:g}") for tick in x.ticks()),
        y_ticks=tuple(Tick(y.at(tick), _rate(device, tick)) for tick in y.ticks()),
        roof=" ".join(f"{x.at(i):.1f},{y.at(rate):.1f}" for i, rate in roof),
        slope_label=Tick(slope_x, slope),
        slope_y=slope_y,
        peak_label=Tick(y.at(device.peak) - 8, f"peak {_rate(device, device.peak)}"),
        ridge_x=x.at(ridge),
        ridge_label=f"ridge {quantities.intensity(ridge)}",
        x_title=f"{_unit(device)} per byte of global memory moved",
        marks=_marks(points, x, y, device, [_Label(slope_x, slope_y, _CHARACTER * len(slope))]),
        title=f"Roofline of {device.arithmetic}",
        description=_description(points, device),
    )


def _marks(
    points: Sequence[tuple[str, float, float, bool]], x: Axis, y: Axis, device: Roofline, taken: list[_Label]
) -> tuple[Mark, ...]:
    """Marks with their names beside them, moved down where they would meet another; rungs lie below kernels."""
    marks = []
    for name, intensity, rate, rung in points:
        at, height = x.at(intensity), y.at(rate)
        width = _CHARACTER * len(name)
        before = at + _BESIDE + width > _RIGHT
        label_x = at - _BESIDE if before else at + _BESIDE
        label = _Label(label_x - width if before else label_x, height + 4, width)
        while any(map(label.meets, taken)):
            label = _Label(label.x, label.y + _LINE, width)
        taken.append(label)
        text = f"{name}: {quantities.intensity(intensity)} {_unit(device)} per byte, {_rate(device, rate)}"
        marks.append(Mark(at, height, name, label_x, label.y, before, rung, text))
    return tuple(reversed(marks))


def _description(points: Sequence[tuple[str, float, float, bool]], device: Roofline) -> str:
    ridge = quantities.intensity(device.peak / device.bandwidth)
    roof = (
        f"The device moves {quantities.bytes_per_second(device.bandwidth)} and computes "
        f"{_rate(device, device.peak)}; the ridge is at {ridge} {_unit(device)} per byte."
    )
    marks = (
        f"{'Rung' if rung else 'Kernel'} {name}: {quantities.intensity(intensity)} per byte, {_rate(device, rate)}."
        for name, intensity, rate, rung in points
    )
    return " ".join([roof, *marks])


def _rate(roofline: Roofline, value: float) -> str:
    return quantities.operations_per_second(value, floating=roofline.arithmetic is not Arithmetic.INT32)


def _unit(roofline: Roofline) -> str:
    return "operations" if roofline.arithmetic is Arithmetic.INT32 else "FLOP"


def _bound_name(roofline: Roofline) -> str:
    if roofline.bound >= roofline.peak:
        return "the device computes at most"
    return "memory can feed at that intensity"
