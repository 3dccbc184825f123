"""How long a warp takes by itself: what it waits for memory, shared memory, barriers and results, and its own work."""

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

IN_FLIGHT = 3.5
"""Fitted: independent requests to memory that one warp has under way."""

JOINED_WAITS = 2.0
"""Fitted: waits for global memory in PTX that the assembler makes one of, by unrolling loops and removing branches."""


def warp_clocks(counters: Counters, traffic: Traffic, device: Device, sm_clocks: float) -> float:
    """Clocks from the start to the end of a block's longest warp without other blocks.

    ``sm_clocks`` are those for which all the counted work takes the unit of one SM that it needs longest. The work is
    that of the busy warps; every warp arrives at a barrier.
    """
    blocks = busy_share(counters) * counters.blocks
    every = blocks * warps_per_block(counters, device)
    per_block = counters.busy_warps or warps_per_block(counters, device)
    warps = blocks * per_block
    if not warps:
        return 0.0
    chained = counters.chained_instructions
    near = counters.shared_requests + counters.local_requests
    return (
        _memory_clocks(counters, traffic, warps, counters.barriers_after_loads / every)
        + sm_clocks / warps * (1 + (per_block - 1) * _in_step(counters, traffic))
        + near / warps * SHARED_LATENCY / IN_FLIGHT
        + counters.barriers / every * BARRIER_LATENCY
        + (counters.warp_instructions if chained is None else chained) / warps * INSTRUCTION_LATENCY
    )


def _in_step(counters: Counters, traffic: Traffic) -> float:
    """The share of its work at which a warp finds all warps of its block, because a barrier follows each load.

    They wait for memory together and then use the units of the SM together, so that only other blocks use those in the
    meantime: bank conflicts are hidden worse by one block of 1024 threads than by four of 256.
    """
    return min(1.0, counters.barriers_after_loads / max(1.0, traffic.load_requests))


def _memory_clocks(counters: Counters, traffic: Traffic, warps: float, after_loads: float) -> float:
    """Clocks of a warp for global memory, if it passes so many barriers after loads.

    Loads that it waits for together take as long as the slowest of them.
    """
    loads = (traffic.load_requests + counters.texture_requests) / warps
    if not loads:
        return 0.0
    waits = _waits(counters, loads, warps, after_loads)
    together = max(1.0, loads / waits)
    hit = math.pow(traffic.hits, together)
    warm = math.pow(1 - traffic.cold, together)
    cached = hit * L1_HIT_LATENCY + (1 - hit) * L2_HIT_LATENCY
    return waits * (warm * cached + (1 - warm) * DRAM_LATENCY)


def _waits(counters: Counters, loads: float, warps: float, after_loads: float) -> float:
    """How many times a warp waits for global memory: for so many loads together, or for what needs one.

    Loads before a barrier cannot be joined by those behind it. No warp waits more often than it has chained loads.
    """
    chained = (counters.chained_loads or 0) / warps
    return max(1.0, loads / IN_FLIGHT, chained / JOINED_WAITS, min(after_loads, chained))
