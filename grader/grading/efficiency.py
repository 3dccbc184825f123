"""How close a kernel comes to the limits of its device: the roofline and latency hiding."""

from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from grader.engines.cost_model import SECTOR_BYTES, footprint_bytes
from grader.grading.cases import draw_inputs
from grader.grading.context import GradingContext, KernelRecord, plan_of
from grader.grading.rungs import RungModules
from grader.grading.session import RunSession
from grader.labs.geometry import GeometryError, evaluate
from grader.model.device import Device
from grader.model.performance_bounds import (
    GLOBAL_LATENCY,
    Arithmetic,
    attainable,
    clocks_per_instruction,
    peak,
    warps_needed,
)
from grader.model.report import KernelReport, LatencyHiding, Roofline, RungPoint, Visibility
from grader.model.run import Comparison, Counters


def observe_rungs(context: GradingContext, emulator: RunSession, rungs: RungModules) -> None:
    """Count the operations of each rung that a computing kernel was timed against, once per rung."""
    observed = context.observed
    if observed is None:
        return
    for record in context.kernels.values():
        if not record.observed or not operations(record.observed, _arithmetic(record)):
            continue
        name = record.spec.name
        for rung in record.comparisons:
            key = (context.lab.name, rung, name, context.language)
            if key not in rungs.counters:
                inputs = draw_inputs(context.lab, observed, context.seed)
                result = emulator.run(rungs.job(context.lab, rung, context.language, name, inputs))
                if result.fault is not None:
                    continue
                rungs.counters[key] = result.counters
            record.rungs_observed[rung] = rungs.counters[key]


def roofline(
    context: GradingContext, record: KernelRecord, device: Device, seconds: float | None
) -> Roofline | None:
    """The kernel's point in the roofline; ``None`` if it accesses no global memory. ``seconds``: on the timing case."""
    counters = record.observed
    moved = _moved(counters)
    footprint = sum(kernel.footprint_bytes for kernel in counters)
    if not moved or not footprint:
        return None
    arithmetic = _arithmetic(record)
    intensity = operations(counters, arithmetic) / moved
    bound = attainable(device, arithmetic, intensity)
    scale = _scale(context, record, arithmetic)
    most = peak(device, arithmetic)
    rate = _rate(operations(counters, arithmetic), scale, seconds, most)
    bandwidth = _bytes_timed(context, record, scale)
    timed = context.timing_case
    return Roofline(
        arithmetic=arithmetic,
        intensity=intensity,
        best_intensity=operations(counters, arithmetic) / min(moved, footprint),
        bound=bound,
        peak=most,
        bandwidth=device.dram_bandwidth,
        operations_per_second=rate,
        bytes_per_second=bandwidth / seconds if bandwidth is not None and seconds else None,
        share=rate / bound if rate is not None and bound else None,
        visibility=timed.visibility if timed else Visibility.PUBLIC,
        rungs=_rung_points(record, arithmetic, scale, most),
    )


def against_roofline(report: KernelReport, comparison: Comparison) -> Comparison | None:
    """Compare the same runs with an ideal kernel at the bound, so that the speedup is the share reached.

    ``None`` if the share is unknown.
    """
    if report.roofline is None or report.roofline.share is None or report.seconds is None:
        return None
    ideal = report.roofline.share * report.seconds
    return replace(comparison, pairs=tuple(replace(pair, baseline=ideal) for pair in comparison.pairs))


def latency_hiding(record: KernelRecord, device: Device, warps: int) -> LatencyHiding | None:
    """Latency hiding of the kernel's loads, as in the lectures; ``None`` without loads. ``warps`` are per SM."""
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
    """Operations in ``arithmetic`` of all kernels of a plan."""
    by_kind = {
        Arithmetic.FLOAT32: sum(kernel.fp32_operations for kernel in counters),
        Arithmetic.FLOAT64: sum(kernel.fp64_operations for kernel in counters),
        Arithmetic.INT32: sum(kernel.integer_operations for kernel in counters),
    }
    return by_kind[arithmetic]


def _arithmetic(record: KernelRecord) -> Arithmetic:
    """Arithmetic of the kernel's arrays; for floats, the precision of most of its operations."""
    arrays = [param.dtype.numpy for param in record.spec.params if param.is_array]
    if all(dtype.kind in "iu" for dtype in arrays):
        return Arithmetic.INT32
    floats = (Arithmetic.FLOAT32, Arithmetic.FLOAT64)
    return max(floats, key=lambda kind: operations(record.observed, kind))


def _scale(context: GradingContext, record: KernelRecord, arithmetic: Arithmetic) -> float | None:
    """Operations of the timing case over those of the observed case: counted, or from the lab's ``work``."""
    timed, observed = context.timing_case, context.observed
    if timed is None or observed is None:
        return None
    if timed == observed:
        return 1.0
    known = operations(record.observed, arithmetic)
    if (counted := record.counters.get(timed.name)) and known:
        return operations(counted, arithmetic) / known
    if context.lab.manifest.work is None:
        return None
    whole, part = (evaluate(context.lab.manifest.work, case.sizes) for case in (timed, observed))
    return whole / part if part else None


def _rate(computed: int, scale: float | None, seconds: float | None, most: float) -> float | None:
    """Operations per second on the timing case, which has ``scale`` times the ``computed`` ones of the observed case.

    ``None`` if the rate exceeds ``most``, the device's peak. A kernel may skip work only on large cases (half of a
    symmetric result, in whole blocks); its operations then grow more slowly than the lab's ``work``.
    """
    if scale is None or not seconds:
        return None
    rate = computed * scale / seconds
    return rate if rate <= most else None


def _rung_points(
    record: KernelRecord, arithmetic: Arithmetic, scale: float | None, most: float
) -> tuple[RungPoint, ...]:
    """Points of the rungs with known operations and times."""
    points = []
    for rung, counters in record.rungs_observed.items():
        moved = _moved(counters)
        computed = operations(counters, arithmetic)
        time = median(pair.baseline for pair in record.comparisons[rung].pairs)
        rate = _rate(computed, scale, time, most)
        if moved and computed and rate is not None:
            points.append(RungPoint(rung=rung, intensity=computed / moved, operations_per_second=rate))
    return tuple(points)


def _bytes_timed(context: GradingContext, record: KernelRecord, scale: float | None) -> float | None:
    """Bytes of the arrays that the timing case reads and writes, each counted once.

    For arrays read in part, at most the bytes that the accesses move, if ``scale`` is known.
    """
    if context.timing_case is None:
        return None
    try:
        plan = plan_of(context.lab, context.module, record.spec, context.timing_case)
    except GeometryError:
        return None
    footprint = sum(footprint_bytes(plan, kernel) for kernel in {launch.kernel for launch in plan.launches})
    return footprint if scale is None else min(footprint, scale * _moved(record.observed))


def _moved(counters: Sequence[Counters]) -> int:
    """Bytes of the sectors touched by global-memory accesses."""
    return SECTOR_BYTES * sum(kernel.global_sectors for kernel in counters)
