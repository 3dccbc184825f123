"""Upper bounds on a kernel's performance: the roofline, and the warps that latency hiding needs.

Roofline: a kernel that does ``i`` operations per byte of memory traffic reaches at most ``i * bandwidth`` operations
per second, and never more than the device's peak. The intensity where both bounds meet is the ridge: memory limits a
kernel left of it, arithmetic limits a kernel right of it. A fused multiply-add counts as two operations.

Latency hiding: while a warp waits, the SM issues instructions of other warps. If each of them has ``independent``
instructions before it waits too, and an instruction occupies the SM for ``clocks_per_instruction``, then
``latency / (clocks_per_instruction * independent)`` warps fill ``latency`` clocks, in addition to the waiting warp.
"""

import math
from enum import StrEnum

from grader.model.device import Device

INTEGER_LANES = 64
"""32-bit integer lanes per SM from Pascal to Hopper (NVIDIA white papers). With fewer FP32 lanes, both share those."""

GLOBAL_LATENCY = 500.0
"""Clocks until data from global memory arrive: 400-600 in the lectures, 470-540 on A100, RTX 4090 and H100 (Luo et
al., arXiv 2402.13499)."""

_OPERATIONS_PER_LANE = 2
"""Operations of one lane in one clock: a multiply-add."""


class Arithmetic(StrEnum):
    """In what a kernel computes."""

    FLOAT32 = "float32"
    FLOAT64 = "float64"
    INT32 = "int32"


def peak(device: Device, arithmetic: Arithmetic) -> float:
    """Operations per second if every lane does one multiply-add per clock; 0 for a device without such lanes."""
    lanes = {
        Arithmetic.FLOAT32: device.fp32_lanes_per_sm,
        Arithmetic.FLOAT64: device.fp64_lanes_per_sm,
        Arithmetic.INT32: min(INTEGER_LANES, device.fp32_lanes_per_sm),
    }[arithmetic]
    return _OPERATIONS_PER_LANE * lanes * device.sm_count * device.clock


def attainable(device: Device, arithmetic: Arithmetic, intensity: float) -> float:
    """Maximum operations per second at ``intensity`` operations per byte, if every byte comes from memory."""
    return min(peak(device, arithmetic), intensity * device.dram_bandwidth)


def ridge(device: Device, arithmetic: Arithmetic) -> float:
    """Intensity in operations per byte above which arithmetic is the limit."""
    return peak(device, arithmetic) / device.dram_bandwidth


def warps_needed(latency: float, independent: float, clocks_per_instruction: float) -> int:
    """Warps per SM that keep it busy for ``latency`` clocks. Raises: ``ValueError`` for an argument not above zero."""
    if latency <= 0 or independent <= 0 or clocks_per_instruction <= 0:
        msg = (
            "latency, instructions and clocks per instruction must be positive, not "
            f"{latency}, {independent} and {clocks_per_instruction}"
        )
        raise ValueError(msg)
    return math.ceil(latency / (clocks_per_instruction * independent)) + 1


def clocks_per_instruction(device: Device) -> float:
    """Clocks for which one warp instruction occupies an SM, limited by its lanes or by its issue slots."""
    return max(1 / device.issue_slots_per_sm, device.warp_size / device.fp32_lanes_per_sm)
