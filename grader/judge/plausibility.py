"""Checks of whether a measured time is plausible. A time that is not plausible is flagged and staff review it.

Each check returns the reason for the flag, or ``None``. Modelled times are never flagged: no clock measured them.
A false flag is worse than a missed cheat, so every bound leaves a margin. No reason contains a size or a time, because
the timing case may be hidden.
"""

from collections.abc import Collection, Iterator

from grader.judge.findings import use_of_unwritten_memory
from grader.judge.speed import seconds
from grader.model.device import Device
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.facts import KernelFacts
from grader.model.location import SourceLocation
from grader.model.module import DeviceProbe, ProbeKind
from grader.model.plan import LaunchPlan, Role
from grader.model.reason import Reason, reason
from grader.model.run import Comparison, TimedComparison

BANDWIDTH_MARGIN = 1.1
"""Factor by which memory may be faster than its stated bandwidth: boosted clocks, rounded data sheets."""


def flags(
    kernel: KernelFacts, baseline: str, device: Device, *, reads_all_inputs: bool, public: Collection[str]
) -> Iterator[Reason]:
    """Every reason to flag the times of ``kernel``, the most severe first.

    ``reads_all_inputs``: a right kernel must read every byte of every input. ``public`` are the cases of which a
    student may learn lines.
    """
    yield from filter(None, map(exceeds_wall_clock, kernel.comparisons.values()))
    comparison = kernel.comparisons.get(baseline)
    if comparison and kernel.timed_bytes and reads_all_inputs:
        least = minimum_read_seconds(kernel.timed_bytes.read, device)
        if flag := faster_than_memory(comparison, least, device):
            yield flag
    if flag := code_for_one_size(kernel):
        yield flag
    if kernel.program is not None:
        yield from kernel.program.flags
    if _is_measured(kernel) and (flag := use_of_unwritten_memory(kernel.diagnostics, public)):
        yield flag
    if kernel.built is not None:
        for each in kernel.comparisons.values():
            if flag := reads_a_clock(each, kernel.built.clock_reading):
                yield flag
            if flag := probes_the_device(each, kernel.built.device_probe):
                yield flag


def exceeds_wall_clock(comparison: TimedComparison) -> Reason | None:
    """Flag times that add up to more than the wall-clock time of the whole measurement.

    A run worker executes no student host code, but on some machines a kernel can reach its memory. This check exposes
    a kernel that overwrites the reference's times with long ones; ``faster_than_memory`` exposes times that are too
    short.
    """
    if comparison.modelled or comparison.wall_seconds is None:
        return None
    claimed = comparison.launches * sum(pair.baseline + pair.submission for pair in comparison.pairs)
    if claimed <= comparison.wall_seconds:
        return None
    return reason("exceeds-wall-clock", ratio=claimed / comparison.wall_seconds)


def input_bytes(plan: LaunchPlan) -> int:
    """Bytes of all inputs of ``plan``."""
    return sum(buffer.nbytes for buffer in plan.buffers if buffer.role in {Role.INPUT, Role.INOUT})


def minimum_read_seconds(read: int, device: Device) -> float:
    """Least time in which ``device`` can read ``read`` bytes of inputs once; 0 where its bandwidth is unknown.

    The bound leaves out what may not need the memory bus: as many bytes as the L2 cache holds (even if it was flushed)
    and all outputs (they may stay in the L2). ``BANDWIDTH_MARGIN`` raises the bandwidth.
    """
    if device.dram_bandwidth <= 0:
        return 0.0
    return max(0, read - device.l2_bytes) / (BANDWIDTH_MARGIN * device.dram_bandwidth)


def faster_than_memory(comparison: Comparison, least: float, device: Device) -> Reason | None:
    """Flag a time below ``least``, the seconds in which ``device`` can read the inputs, if all must be read."""
    measured = seconds(comparison)
    if comparison.modelled or measured >= least:
        return None
    return reason("faster-than-memory", ratio=least / measured, device=device.name)


def reads_a_clock(comparison: Comparison, location: SourceLocation | None) -> Reason | None:
    """Flag the measured times of a kernel that reads a clock at ``location``, as it can detect when it is timed.

    A computation needs no clock, but some of CUDA's own wait functions read one.
    """
    if comparison.modelled or location is None:
        return None
    return reason("reads-clock", location=location)


_PROBES = {
    ProbeKind.MULTIPROCESSOR: "reads-multiprocessor",
    ProbeKind.ADDRESS: "decides-by-address",
    ProbeKind.HEAP: "keeps-heap",
}


def probes_the_device(comparison: Comparison, probe: DeviceProbe | None) -> Reason | None:
    """Flag the measured times of a kernel that could be another one where it is observed or checked."""
    if comparison.modelled or probe is None:
        return None
    return reason(_PROBES[probe.kind], location=probe.location)


def code_for_one_size(kernel: KernelFacts) -> Reason | None:
    """Flag a kernel with code for the sizes of the timing case that sizes a little below or above do not run."""
    only_here = kernel.drawn is not None and kernel.drawn.only_here is not None
    return reason("code-for-one-size") if only_here and _is_measured(kernel) else None


def _is_measured(kernel: KernelFacts) -> bool:
    return any(not each.modelled for each in kernel.comparisons.values())


def timing_warnings(kernel: KernelFacts) -> Iterator[Diagnostic]:
    """Warn the student, before the kernel is timed, about code for which its times would be flagged."""
    if kernel.built is None:
        return
    if kernel.built.clock_reading is not None:
        said = reason("clock-reading"), reason("clock-reading-advice")
        yield _warning(kernel, DiagnosticKind.CLOCK_READING, *said, kernel.built.clock_reading)
    if kernel.built.device_probe is not None:
        said = reason("device-probe"), reason("device-probe-advice")
        yield _warning(kernel, DiagnosticKind.DEVICE_PROBE, *said, kernel.built.device_probe.location)


def _warning(
    kernel: KernelFacts, kind: DiagnosticKind, message: Reason, advice: Reason, location: SourceLocation
) -> Diagnostic:
    return Diagnostic(
        kind=kind,
        severity=Severity.WARNING,
        message=message,
        advice=advice,
        kernel=kernel.name,
        file=location.file,
        line=location.line,
    )
