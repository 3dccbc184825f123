"""Checks of whether a measured time is plausible. A time that is not plausible is flagged and staff review it.

Each check returns the reason for the flag, or an empty string. Modelled times are never flagged: no clock measured
them. A false flag is worse than a missed cheat, so every bound leaves a margin. No reason contains a size or a time,
because the timing case may be hidden.
"""

from grader.compile.messages import location_prefix
from grader.judge.speed import seconds
from grader.model.device import Device
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.module import BuiltKernel
from grader.model.plan import LaunchPlan, Role
from grader.model.reason import as_written
from grader.model.run import Comparison, TimedComparison

BANDWIDTH_MARGIN = 1.1
"""Factor by which memory may be faster than its stated bandwidth: boosted clocks, rounded data sheets."""

_READS_CLOCK = "it reads a clock or its launch number"


def exceeds_wall_clock(comparison: TimedComparison) -> str:
    """Flag times that add up to more than the wall-clock time of the whole measurement.

    A run worker executes no student host code, but on some machines a kernel can reach its memory. This check exposes
    a kernel that overwrites the reference's times with long ones; ``faster_than_memory`` exposes times that are too
    short.
    """
    if comparison.modelled or comparison.wall_seconds is None:
        return ""
    claimed = comparison.launches * sum(pair.baseline + pair.submission for pair in comparison.pairs)
    if claimed <= comparison.wall_seconds:
        return ""
    ratio = claimed / comparison.wall_seconds
    return f"its times and the reference's add up to {ratio:.2f} times the wall-clock time of the measurement"


def minimum_read_seconds(plan: LaunchPlan, device: Device) -> float:
    """Least time in which ``device`` can read every input of ``plan`` once; 0 where its bandwidth is unknown.

    The bound leaves out what may not need the memory bus: as many bytes as the L2 cache holds (even if it was flushed)
    and all outputs (they may stay in the L2). ``BANDWIDTH_MARGIN`` raises the bandwidth.
    """
    if device.dram_bandwidth <= 0:
        return 0.0
    read = sum(buffer.nbytes for buffer in plan.buffers if buffer.role in {Role.INPUT, Role.INOUT})
    return max(0, read - device.l2_bytes) / (BANDWIDTH_MARGIN * device.dram_bandwidth)


def faster_than_memory(comparison: Comparison, plan: LaunchPlan, device: Device) -> str:
    """Flag a time in which ``device`` cannot read the inputs of ``plan``, for a plan that must read all of them."""
    if comparison.modelled:
        return ""
    least, measured = minimum_read_seconds(plan, device), seconds(comparison)
    if measured >= least:
        return ""
    return f"{least / measured:.2f} times faster than {device.name} can read its inputs"


def reads_a_clock(comparison: Comparison, kernel: BuiltKernel) -> str:
    """Flag the measured times of a kernel that reads a clock, as it can detect when it is timed.

    A computation needs no clock, but some of CUDA's own wait functions read one.
    """
    location = kernel.clock_reading
    if comparison.modelled or location is None:
        return ""
    prefix = location_prefix(location.file, location.line)
    return f"{prefix}{_READS_CLOCK}, so it can detect when it is timed"


def clock_warning(kernel: BuiltKernel) -> tuple[Diagnostic, ...]:
    """Warn the student about a clock reading before the kernel is timed; empty where ``kernel`` reads no clock."""
    location = kernel.clock_reading
    if location is None:
        return ()
    return (
        Diagnostic(
            kind=DiagnosticKind.CLOCK_READING,
            severity=Severity.WARNING,
            message=as_written(
                f"{_READS_CLOCK}, so a speed measured on a GPU counts only after staff review"
            ),
            advice=as_written(
                "remove clock() or the like before you submit, because the grader times your kernel; if your code "
                "has none, a function that you call reads it: cuda::barrier, and a cuda::pipeline that a block shares, "
                "read a clock while they wait"
            ),
            kernel=kernel.name,
            file=location.file,
            line=location.line,
        ),
    )
