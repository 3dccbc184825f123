"""The roofline floor: no kernel is faster than its device can read what must be read.

A time below the floor is no record but an alarm: what was timed was not the work, or the clock was not ours. To accuse
the honest is worse than to miss a cheat, so the floor leaves out whatever may be had without the memory bus: all that
the L2 can hold (whatever was flushed), all outputs (they may stay in the L2), and a tenth of the bandwidth.
"""

from grader.judge.speed import seconds
from grader.model.device import Device
from grader.model.plan import LaunchPlan, Role
from grader.model.run import Comparison

MARGIN = 1.1
"""How much faster than its stated bandwidth a memory is taken to be: boosted clocks, rounded data sheets."""


def least_seconds(plan: LaunchPlan, device: Device) -> float:
    """The least time in which ``device`` can read every input of ``plan`` once; 0 where nothing can be said."""
    if device.dram_bandwidth <= 0:
        return 0.0
    read = sum(buffer.nbytes for buffer in plan.buffers if buffer.role in {Role.INPUT, Role.INOUT})
    return max(0, read - device.l2_bytes) / (MARGIN * device.dram_bandwidth)


def below_floor(comparison: Comparison, plan: LaunchPlan, device: Device) -> str:
    """Why the submission's time cannot be, for a plan that must read all of its inputs; empty where it can.

    A modelled time is nobody's claim and never suspicious. No size or time is told: the timing case may be hidden.
    """
    if comparison.modelled:
        return ""
    least, taken = least_seconds(plan, device), seconds(comparison)
    if taken >= least:
        return ""
    return f"{least / taken:.2f} times faster than {device.name} can read its inputs"
