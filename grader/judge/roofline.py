"""How close a kernel comes to the limits of its device: the roofline and latency hiding."""

from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from grader.labs.geometry import evaluate
from grader.labs.manifest import Manifest
from grader.model.device import Device
from grader.model.element_types import NumberKind
from grader.model.facts import Facts, KernelFacts, Work
from grader.model.kernel import KernelSpec
from grader.model.performance_bounds import (
    GLOBAL_LATENCY,
    Arithmetic,
    attainable,
    clocks_per_instruction,
    peak,
    warps_needed,
)
from grader.model.report import KernelReport, LatencyHiding, Roofline, RungPoint, Visibility
from grader.model.run import Comparison, Counters, TimedPair


def roofline(facts: Facts, kernel: KernelFacts, manifest: Manifest, seconds: float | None) -> Roofline | None:
    """The kernel's point in the roofline; ``None`` if it accesses no global memory. ``seconds``: on the timing case."""
    observed = kernel.counted.get(facts.observed_case or "")
    if observed is None or not observed.moved_bytes or not observed.footprint_bytes:
        return None
    arithmetic = arithmetic_of(manifest.spec(kernel.name), observed)
    computed, moved = observed.operations(arithmetic), observed.moved_bytes
    bound = attainable(facts.device, arithmetic, computed / moved)
    scale = _scale(facts, kernel, manifest, arithmetic)
    most = peak(facts.device, arithmetic)
    rate = _rate(computed, scale, seconds, most)
    touched = _bytes_timed(kernel, observed, scale)
    return Roofline(
        arithmetic=arithmetic,
        intensity=computed / moved,
        best_intensity=computed / min(moved, observed.footprint_bytes),
        bound=bound,
        peak=most,
        bandwidth=facts.device.dram_bandwidth,
        operations_per_second=rate,
        bytes_per_second=touched / seconds if touched is not None and seconds else None,
        share=rate / bound if rate is not None and bound else None,
        visibility=timing_visibility(facts, manifest),
        rungs=_rung_points(kernel, arithmetic, scale, most),
    )


def timing_visibility(facts: Facts, manifest: Manifest) -> Visibility:
    """The visibility of the timing case; public if nothing was timed."""
    return Visibility.PUBLIC if facts.timing_case is None else manifest.case(facts.timing_case).visibility


def against_roofline(report: KernelReport, comparison: Comparison) -> Comparison | None:
    """Compare the same runs with an ideal kernel at the bound, so that the speedup is the share reached.

    ``None`` if the share is unknown.
    """
    if report.roofline is None or report.roofline.share is None or report.seconds is None:
        return None
    ideal = report.roofline.share * report.seconds
    pairs = tuple(
        TimedPair(baseline=ideal, submission=pair.submission, place=pair.place) for pair in comparison.pairs
    )
    return replace(comparison, pairs=pairs)


def latency_hiding(counters: Sequence[Counters], device: Device, warps: int) -> LatencyHiding | None:
    """Latency hiding of the kernel's loads, as in the lectures; ``None`` without loads. ``warps`` are per SM."""
    issued = sum(kernel.warp_instructions for kernel in counters)
    loads = sum(
        site.requests
        for kernel in counters
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


def arithmetic_of(spec: KernelSpec, work: Work) -> Arithmetic:
    """Arithmetic of the kernel's arrays; for floats, the precision of most of its operations."""
    numbers = [number for param in spec.params if param.is_array for number in param.dtype.numbers]
    if all(number.kind is NumberKind.WHOLE for number in numbers):
        return Arithmetic.INT32
    return max((Arithmetic.FLOAT32, Arithmetic.FLOAT64), key=work.operations)


def _scale(facts: Facts, kernel: KernelFacts, manifest: Manifest, arithmetic: Arithmetic) -> float | None:
    """Operations of the timing case over those of the observed case: counted, or from the lab's ``work``."""
    timed, observed = facts.timing_case, facts.observed_case
    if timed is None or observed is None:
        return None
    if timed == observed:
        return 1.0
    known = kernel.counted[observed].operations(arithmetic)
    if (counted := kernel.counted.get(timed)) is not None and known:
        return counted.operations(arithmetic) / known
    if manifest.work is None:
        return None
    whole, part = (evaluate(manifest.work, manifest.case(name).sizes) for name in (timed, observed))
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
    kernel: KernelFacts, arithmetic: Arithmetic, scale: float | None, most: float
) -> tuple[RungPoint, ...]:
    """Points of the rungs with known operations and times."""
    points = []
    for rung, work in kernel.rungs_counted.items():
        computed = work.operations(arithmetic)
        time = median(pair.baseline for pair in kernel.comparisons[rung].pairs)
        rate = _rate(computed, scale, time, most)
        if work.moved_bytes and computed and rate is not None:
            intensity = computed / work.moved_bytes
            points.append(RungPoint(rung=rung, intensity=intensity, operations_per_second=rate))
    return tuple(points)


def _bytes_timed(kernel: KernelFacts, observed: Work, scale: float | None) -> float | None:
    """Bytes of the arrays that the timing case reads and writes, each counted once.

    For arrays read in part, at most the bytes that the accesses move, if ``scale`` is known.
    """
    if kernel.timed_bytes is None:
        return None
    touched = kernel.timed_bytes.touched
    return touched if scale is None else min(touched, scale * observed.moved_bytes)
