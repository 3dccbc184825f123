"""A kernel's roofline and latency arithmetic in words."""

from collections.abc import Iterator

from grader.model.performance_bounds import Arithmetic
from grader.model.report import KernelReport, LatencyHiding, Roofline, SpeedupKind
from grader.report import quantities


def roofline_sentence(roofline: Roofline, kind: SpeedupKind) -> str:
    """Intensity, what was reached, and its share of what the device allows; ``kind`` is that of the time."""
    passed = _bandwidth_sentence(roofline, kind)
    if not roofline.intensity:
        return f"it only moves data: {passed}" if passed else "it only moves data"
    operations = unit(roofline)
    asked = f"{quantities.intensity(roofline.intensity)} {operations} per byte moved"
    best = f"{quantities.intensity(roofline.best_intensity)} at best"
    limit = f"{rate(roofline, roofline.bound)} that {_bound_name(roofline)}"
    if roofline.operations_per_second is None or roofline.share is None:
        return f"{asked} ({best}); the bound is the {limit}"
    reached = f"{rate(roofline, roofline.operations_per_second)} {kind}"
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


def rate(roofline: Roofline, value: float) -> str:
    """``value`` operations per second, of the kind that the roofline is about."""
    return quantities.operations_per_second(value, floating=roofline.arithmetic is not Arithmetic.INT32)


def unit(roofline: Roofline) -> str:
    """What its operations are called."""
    return "operations" if roofline.arithmetic is Arithmetic.INT32 else "FLOP"


def _bound_name(roofline: Roofline) -> str:
    if roofline.bound >= roofline.peak:
        return "the device computes at most"
    return "memory can feed at that intensity"
