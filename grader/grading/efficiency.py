"""How near a kernel comes to what its device can do: the roofline, and whether latency is hidden."""

from collections.abc import Sequence

from grader.engines.cost_model import SECTOR_BYTES, footprint_bytes
from grader.grading.subject import KernelRecord, Subject, plan_of
from grader.labs.geometry import GeometryError, evaluate
from grader.model.device import Device
from grader.model.latency import GLOBAL_LATENCY, clocks_per_instruction, warps_needed
from grader.model.report import LatencyHiding, Roofline, Visibility
from grader.model.roofline import Arithmetic, attainable, peak
from grader.model.run import Counters


def roofline(
    subject: Subject, record: KernelRecord, device: Device, seconds: float | None
) -> Roofline | None:
    """Where the kernel lies; ``None`` where it touches no global memory. ``seconds`` are those of the timing case."""
    counters = record.observed
    moved = SECTOR_BYTES * sum(kernel.global_sectors for kernel in counters)
    footprint = sum(kernel.footprint_bytes for kernel in counters)
    if not moved or not footprint:
        return None
    arithmetic = _arithmetic(record)
    intensity = operations(counters, arithmetic) / moved
    bound = attainable(device, arithmetic, intensity)
    rate = _operations_timed(subject, record, arithmetic)
    rate = rate / seconds if rate is not None and seconds else None
    bandwidth = _bytes_timed(subject, record)
    timed = subject.timing_case
    return Roofline(
        arithmetic=arithmetic,
        intensity=intensity,
        best_intensity=operations(counters, arithmetic) / min(moved, footprint),
        bound=bound,
        peak=peak(device, arithmetic),
        bandwidth=device.dram_bandwidth,
        operations_per_second=rate,
        bytes_per_second=bandwidth / seconds if bandwidth is not None and seconds else None,
        share=rate / bound if rate is not None and bound else None,
        visibility=timed.visibility if timed else Visibility.PUBLIC,
    )


def latency_hiding(record: KernelRecord, device: Device, warps: int) -> LatencyHiding | None:
    """The lectures' arithmetic for the kernel's loads; ``None`` where it has none. ``warps`` are those of an SM."""
    issued = sum(kernel.warp_instructions for kernel in record.observed)
    loads = sum(
        site.requests
        for kernel in record.observed
        for site in kernel.sites
        if site.space == "global" and not site.store
    )
    if not loads or not issued:
        return None
    clocks = clocks_per_instruction(device)
    return LatencyHiding(
        latency=GLOBAL_LATENCY,
        clocks_per_instruction=clocks,
        instructions=issued / loads,
        needed=warps_needed(GLOBAL_LATENCY, issued / loads, clocks),
        there=warps,
        most=device.max_warps_per_sm,
    )


def operations(counters: Sequence[Counters], arithmetic: Arithmetic) -> int:
    """What all kernels of a plan computed in ``arithmetic``."""
    by_kind = {
        Arithmetic.FLOAT32: sum(kernel.fp32_operations for kernel in counters),
        Arithmetic.FLOAT64: sum(kernel.fp64_operations for kernel in counters),
        Arithmetic.INT32: sum(kernel.integer_operations for kernel in counters),
    }
    return by_kind[arithmetic]


def _arithmetic(record: KernelRecord) -> Arithmetic:
    """What the kernel's arrays hold; of floats, the precision that it computes in most."""
    arrays = [param.dtype.numpy for param in record.spec.params if param.is_array]
    if all(dtype.kind in "iu" for dtype in arrays):
        return Arithmetic.INT32
    floats = (Arithmetic.FLOAT32, Arithmetic.FLOAT64)
    return max(floats, key=lambda kind: operations(record.observed, kind))


def _operations_timed(subject: Subject, record: KernelRecord, arithmetic: Arithmetic) -> float | None:
    """Operations of the timing case: counted there, or grown with the lab's work from those of the observed one."""
    timed, observed = subject.timing_case, subject.observed
    if timed is None or observed is None:
        return None
    if counted := record.counters.get(timed.name):
        return operations(counted, arithmetic)
    if subject.lab.manifest.work is None:
        return None
    whole, part = (evaluate(subject.lab.manifest.work, case.sizes) for case in (timed, observed))
    return operations(record.observed, arithmetic) * whole / part if part else None


def _bytes_timed(subject: Subject, record: KernelRecord) -> int | None:
    """Bytes of the arrays that the timing case reads and writes, each once."""
    if subject.timing_case is None:
        return None
    try:
        plan = plan_of(subject.lab, subject.module, record.spec, subject.timing_case)
    except GeometryError:
        return None
    return sum(footprint_bytes(plan, kernel) for kernel in {launch.kernel for launch in plan.launches})
