"""Sentences on a kernel's roofline, latency and occupancy."""

from collections.abc import Iterator

from grader.model.performance_bounds import Arithmetic
from grader.model.report import KernelReport, LatencyHiding, Roofline, SpeedupKind
from grader.report import quantities


def roofline_sentence(roofline: Roofline, kind: SpeedupKind) -> str:
    """Intensity, rate, and share of the device's limit; ``kind`` says whether the time is measured or modelled."""
    if not roofline.intensity:
        return f"no arithmetic, only data movement{_bandwidth_sentence(roofline, kind)}"
    operations = unit(roofline)
    intensity = f"{quantities.intensity(roofline.intensity)} {operations} per byte moved"
    best = f"at best {quantities.intensity(roofline.best_intensity)}"
    limit = f"{_limit_name(roofline)} limit of {rate(roofline, roofline.bound)}"
    if roofline.operations_per_second is None or roofline.share is None:
        return f"{intensity} ({best}); the {limit} applies"
    reached = f"{rate(roofline, roofline.operations_per_second)} {kind}"
    share = f"{quantities.share(roofline.share)} of the {limit}"
    caches = "; above 100 % because caches serve part of the data" if roofline.share > 1 else ""
    return f"{intensity} ({best}); {reached}, {share}{caches}"


def _bandwidth_sentence(roofline: Roofline, kind: SpeedupKind) -> str:
    if roofline.bytes_per_second is None:
        return ""
    share = quantities.share(roofline.bytes_per_second / roofline.bandwidth)
    return (
        f": {quantities.bytes_per_second(roofline.bytes_per_second)} {kind}, "
        f"{share} of the memory bandwidth of {quantities.bytes_per_second(roofline.bandwidth)}"
    )


def latency_sentence(latency: LatencyHiding) -> str:
    """How many warps hide the latency of global memory, and how many fit."""
    needed = (
        f"a warp issues {quantities.average(latency.instructions)} instructions per load; hiding "
        f"{latency.latency:g} clock cycles takes {latency.needed} warps per SM "
        f"({latency.latency:g} / ({latency.clocks_per_instruction:g} × "
        f"{quantities.average(latency.instructions)}) + 1)"
    )
    if latency.there >= latency.needed:
        return f"{needed}; {latency.there} fit: enough"
    if latency.needed > latency.most:
        fit = f"{latency.there} fit, an SM holds at most {latency.most}"
        return f"{needed}; {fit}: issue more instructions between loads, or several loads at once"
    return f"{needed}; {latency.there} fit: too few"


def efficiency_notes(kernel: KernelReport, kind: SpeedupKind) -> Iterator[tuple[str, str]]:
    """Titled sentences on what limits a kernel."""
    resources = kernel.resources
    if resources is not None and resources.lift:
        yield "Occupancy", f"{resources.active_warps} warps on an SM; {resources.lift}"
    if kernel.roofline is not None:
        yield "Roofline", roofline_sentence(kernel.roofline, kind)
    if kernel.latency is not None:
        yield "Latency", latency_sentence(kernel.latency)


def rate(roofline: Roofline, value: float) -> str:
    """``value`` operations per second, of the kind of arithmetic the roofline counts."""
    return quantities.operations_per_second(value, floating=roofline.arithmetic is not Arithmetic.INT32)


def unit(roofline: Roofline) -> str:
    """The name of the operations the roofline counts."""
    return "operations" if roofline.arithmetic is Arithmetic.INT32 else "FLOP"


def _limit_name(roofline: Roofline) -> str:
    if roofline.bound >= roofline.peak:
        return "compute"
    return "memory"
