"""The roofline: how fast a device can compute at a given arithmetic intensity.

A kernel that does ``i`` operations for each byte it moves can do no more than ``i * bandwidth`` operations a second,
and never more than the device's peak. Where the two meet is the ridge: left of it memory is the bound, right of it
arithmetic. A fused multiply-add counts as two operations.
"""

from enum import StrEnum

from grader.model.device import Device

INTEGER_LANES = 64
"""32-bit integer lanes of an SM from Pascal to Hopper, by NVIDIA's white papers; where there are fewer fp32 lanes,
both share those."""

_PER_LANE = 2
"""Operations of one lane in a clock: a multiply-add."""


class Arithmetic(StrEnum):
    """In what a kernel computes."""

    FLOAT32 = "float32"
    FLOAT64 = "float64"
    INT32 = "int32"


def peak(device: Device, arithmetic: Arithmetic) -> float:
    """Operations per second of all lanes at once, each with a multiply-add a clock; 0 where there are no lanes."""
    lanes = {
        Arithmetic.FLOAT32: device.fp32_lanes_per_sm,
        Arithmetic.FLOAT64: device.fp64_lanes_per_sm,
        Arithmetic.INT32: min(INTEGER_LANES, device.fp32_lanes_per_sm),
    }[arithmetic]
    return _PER_LANE * lanes * device.sm_count * device.clock


def attainable(device: Device, arithmetic: Arithmetic, intensity: float) -> float:
    """The most operations per second at ``intensity`` operations per byte, if every byte comes from memory."""
    return min(peak(device, arithmetic), intensity * device.dram_bandwidth)


def ridge(device: Device, arithmetic: Arithmetic) -> float:
    """The intensity, in operations per byte, from which on arithmetic is the bound."""
    return peak(device, arithmetic) / device.dram_bandwidth
