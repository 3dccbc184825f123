"""How long a warp takes by itself: what it waits for memory, shared memory, barriers and results."""

import math

from grader.engines.cost_traffic import Traffic
from grader.engines.residence import busy_share, warps_per_block
from grader.model.device import Device
from grader.model.run import Counters

L1_HIT_LATENCY, L2_HIT_LATENCY = 40.0, 270.0
"""Clocks to data; 38-43 and 262-273 on A100, RTX 4090 and H100 (Luo et al., arXiv 2402.13499, table of latencies)."""

SHARED_LATENCY = 30.0
"""Clocks to data in shared memory: 29-30 on the same devices, by the same source."""

INSTRUCTION_LATENCY = 4.0
"""Clocks from an instruction to the next of its chain, which needs the result, since Volta (Jia et al., arXiv
1804.06826); 6 before."""

BARRIER_LATENCY = 30.0
"""Fitted: clocks that a warp loses at a barrier where all warps arrive together."""

DRAM_LATENCY = 800.0
"""Fitted: clocks to data in memory that is in use; 470-540 in memory that is not (Luo et al.)."""

NEAR_IN_FLIGHT, LOADS_IN_FLIGHT = 3.0, 3.5
"""Fitted: independent requests that one warp has under way, to shared or local memory, and to global memory."""

JOINED_WAITS = 2.0
"""Fitted: waits for global memory in PTX that the assembler makes one of, by unrolling loops and removing branches."""


def warp_clocks(counters: Counters, traffic: Traffic, device: Device) -> float:
    """Clocks from the start to the end of a block's longest warp without other warps."""
    per_block = counters.busy_warps or warps_per_block(counters, device)
    warps = busy_share(counters) * counters.blocks * per_block
    if not warps:
        return 0.0
    chained = counters.chained_instructions
    near = counters.shared_requests + counters.local_requests
    return (
        _memory_clocks(counters, traffic, warps)
        + near / warps * SHARED_LATENCY / NEAR_IN_FLIGHT
        + counters.barriers / warps * BARRIER_LATENCY
        + (counters.warp_instructions if chained is None else chained) / warps * INSTRUCTION_LATENCY
    )


def _memory_clocks(counters: Counters, traffic: Traffic, warps: float) -> float:
    """Clocks for global memory. Loads that a warp waits for together take as long as the slowest of them."""
    loads = (traffic.load_requests + counters.texture_requests) / warps
    if not loads:
        return 0.0
    waits = _waits(counters, loads, warps)
    together = max(1.0, loads / waits)
    hit = math.pow(traffic.hits, together)
    warm = math.pow(1 - traffic.cold, together)
    cached = hit * L1_HIT_LATENCY + (1 - hit) * L2_HIT_LATENCY
    return waits * (warm * cached + (1 - warm) * DRAM_LATENCY)


def _waits(counters: Counters, loads: float, warps: float) -> float:
    """How many times a warp waits for global memory: for so many loads together, or for what needs one.

    Loads between two barriers cannot be joined by those of the next step. A kernel with fewer loads than steps has
    its barriers elsewhere, as in a tree of sums.
    """
    chained = (counters.chained_loads or 0) / warps
    steps = counters.barriers / warps / 2
    return max(1.0, loads / LOADS_IN_FLIGHT, chained / JOINED_WAITS, steps if steps <= loads else 0.0)
