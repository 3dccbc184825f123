"""Sentences on a kernel's roofline, latency and occupancy."""

from collections.abc import Iterator

from grader.model.performance_bounds import Arithmetic
from grader.model.reason import Reason, reason
from grader.model.report import KernelReport, LatencyHiding, ProgramReport, Roofline, SpeedupKind
from grader.report import quantities


def roofline_sentence(roofline: Roofline, kind: SpeedupKind) -> Reason:
    """Intensity, rate, and share of the device's limit; ``kind`` says whether the time is measured or modelled."""
    if not roofline.intensity:
        return _data_movement(roofline, kind)
    moved = reason(
        "roofline-intensity",
        intensity=quantities.intensity(roofline.intensity),
        operations=unit(roofline),
        best=quantities.intensity(roofline.best_intensity),
    )
    limit, bound = _limit_name(roofline), rate(roofline, roofline.bound)
    if roofline.operations_per_second is None or roofline.share is None:
        return reason("roofline-limit", moved=moved, limit=limit, bound=bound)
    reached = reason(
        "roofline-reached",
        moved=moved,
        limit=limit,
        bound=bound,
        rate=rate(roofline, roofline.operations_per_second),
        kind=kind.value,
        share=quantities.share(roofline.share),
    )
    return reason("roofline-caches", reason=reached) if roofline.share > 1 else reached


def _data_movement(roofline: Roofline, kind: SpeedupKind) -> Reason:
    if roofline.bytes_per_second is None:
        return reason("no-arithmetic")
    return reason(
        "no-arithmetic-rate",
        rate=quantities.bytes_per_second(roofline.bytes_per_second),
        kind=kind.value,
        share=quantities.share(roofline.bytes_per_second / roofline.bandwidth),
        bandwidth=quantities.bytes_per_second(roofline.bandwidth),
    )


def latency_sentence(latency: LatencyHiding) -> Reason:
    """How many warps hide the latency of global memory, and how many fit."""
    needed = reason(
        "warps-needed",
        instructions=quantities.average(latency.instructions),
        latency=f"{latency.latency:g}",
        needed=latency.needed,
        clocks=f"{latency.clocks_per_instruction:g}",
    )
    if latency.there >= latency.needed:
        return reason("warps-enough", needed=needed, there=latency.there)
    if latency.needed > latency.most:
        return reason("warps-beyond-sm", needed=needed, there=latency.there, most=latency.most)
    return reason("warps-too-few", needed=needed, there=latency.there)


def program_sentence(program: ProgramReport) -> Reason:
    """What a program copies, how much of it overlaps, and how often it waits."""
    trace = program.trace
    return reason(
        "program-figures",
        copied_in=quantities.size(trace.copied_in),
        copied_out=quantities.size(trace.copied_out),
        pinned=quantities.percent(trace.pinned / trace.copied if trace.copied else 0.0),
        overlap=quantities.percent(
            trace.overlapped_seconds / trace.kernel_seconds if trace.kernel_seconds else 0.0
        ),
        launches=trace.launches,
        waits=trace.synchronisations,
    )


def efficiency_notes(kernel: KernelReport, kind: SpeedupKind) -> Iterator[Reason]:
    """Statements on what limits a kernel."""
    resources = kernel.resources
    if resources is not None and resources.advice is not None:
        yield reason("occupancy-note", warps=resources.active_warps, advice=resources.advice)
    if kernel.roofline is not None:
        yield reason("roofline", reason=roofline_sentence(kernel.roofline, kind))
    if kernel.latency is not None:
        yield reason("latency", reason=latency_sentence(kernel.latency))
    if kernel.program is not None:
        yield program_sentence(kernel.program)


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
