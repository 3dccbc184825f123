"""How many warps an SM needs to hide a latency, as the lectures count it.

While a warp waits, others must give the SM something to do. If each of them has ``independent`` instructions before it
must wait as well, and an instruction keeps the SM busy for ``clocks_per_instruction``, then ``latency`` clocks are
filled by ``latency / (clocks_per_instruction * independent)`` warps, beside the one that waits.
"""

import math

from grader.model.device import Device

GLOBAL_LATENCY = 500.0
"""Clocks to data in global memory: 400-600 in the lectures, 470-540 on A100, RTX 4090 and H100 (Luo et al., arXiv
2402.13499)."""


def warps_needed(latency: float, independent: float, clocks_per_instruction: float) -> int:
    """Warps per SM so that there is always one to go on with. Raises: ``ValueError`` for what is not positive."""
    if latency <= 0 or independent <= 0 or clocks_per_instruction <= 0:
        msg = (
            f"no such kernel: {latency} clocks, {independent} instructions of {clocks_per_instruction} clocks"
        )
        raise ValueError(msg)
    return math.ceil(latency / (clocks_per_instruction * independent)) + 1


def clocks_per_instruction(device: Device) -> float:
    """Clocks for which one warp instruction keeps an SM busy: a lane's turn for each thread, or a slot to issue."""
    return max(1 / device.issue_slots_per_sm, device.warp_size / device.fp32_lanes_per_sm)
