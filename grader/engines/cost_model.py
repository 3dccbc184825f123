"""How long a kernel would take on a device, from what it did: a throughput model, not a simulation.

The counters come from a small problem; the model asks how fast the same mix would run if there were enough of it to
fill the device, so a grid of four blocks is not punished for leaving 36 of 40 SMs idle. Terms, each in seconds:

- **memory bus**: the compulsory bytes (``Counters.footprint_bytes``, never more than the sectors moved).
- **L2**: sectors of 32 bytes. Of those a coalesced request needs, L1 catches a share; those beyond cost a surcharge,
  as they are used in part.
- **L1 and shared memory**: one wavefront per SM and clock; a bank conflict is more wavefronts, four sectors are one.
- **issue** slots, **fp32** and **fp64** lanes.
- **atomics**: one sector's passage through the L2 for each lane.
- **latency** of memory and barriers, hidden by as many warps as the kernel's occupancy leaves on an SM (Little's law).

Resources overlap, but never perfectly: the terms add up as the root of the sum of their squares, which is close to
the largest of them and still grows with every other. A launch after the first costs the device's launch overhead; the
first is common to every kernel and would drown a small problem.

The three fitted constants below were chosen on one H200: naive and 16x16 tiled matmul at 4096^3 (5.1 and 8.1 TFLOP/s;
the model says 4.5 and 7.0), copy, naive and padded transpose at 16384^2 (4154, 993, 3552 GB/s; 4010, 1015, 3640) and
one thread per row at 16384^2 (502 GB/s; 540).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from grader.build.occupancy import occupancy
from grader.model.device import Device
from grader.model.plan import LaunchPlan, Role
from grader.model.run import Counters
from grader.model.texture import Texture

SECTOR_BYTES = 32

SECTORS_PER_WAVEFRONT = 4
"""A 128-byte line is what one clock of the L1 delivers, and what 32 lanes of 4 bytes need at best."""

L1_HIT_SHARE = 0.6
"""Fitted: the share of a coalesced request's sectors that the L1 has."""

SCATTER_SURCHARGE = 1.4
"""Fitted: the cost of a sector beyond the coalesced ones, in sectors."""

BUS_EFFICIENCY = 0.9
"""Fitted: the share of the data sheet's bandwidth that a copy reaches."""

REQUEST_LATENCY = 400.0
"""Clocks from a global request to its data, between an L2 hit and a miss."""

REQUESTS_IN_FLIGHT = 8.0
"""Independent global requests that one warp has under way, after the compiler's unrolling."""

WAVEFRONT_LATENCY = 4.0
"""Clocks that a warp waits for one shared-memory wavefront: about 30, with eight independent ones under way."""

BARRIER_LATENCY = 40.0
"""Clocks that a warp loses at a barrier."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Demand:
    """What one kernel asks of the memory system."""

    bus_bytes: float
    l2_sectors: float
    wavefronts: float


def modelled_seconds(counters: Sequence[Counters], device: Device) -> float:
    """Seconds for all kernels of a plan on ``device``, one after the other.

    Raises: ``ValueError`` where double precision is asked of a device that has none.
    """
    launches = sum(kernel.launches for kernel in counters)
    return (
        sum(_kernel_seconds(kernel, device) for kernel in counters)
        + max(0, launches - 1) * device.launch_overhead
    )


def footprint_bytes(plan: LaunchPlan, kernel: str) -> int:
    """``Counters.footprint_bytes`` of ``kernel``: every buffer once per launch it is passed to, INOUT both ways."""
    total = 0
    for launch in plan.launches:
        if launch.kernel == kernel:
            names = (arg.buffer if isinstance(arg, Texture) else arg for arg in launch.args)
            for name in {name for name in names if isinstance(name, str)}:
                buffer = plan.buffer(name)
                total += buffer.nbytes * (2 if buffer.role is Role.INOUT else 1)
    return total


def _kernel_seconds(counters: Counters, device: Device) -> float:
    if counters.fp64_instructions and not device.fp64_lanes_per_sm:
        msg = f"{device.name} has no double precision"
        raise ValueError(msg)
    demand = _demand(counters)
    clocks = device.sm_count * device.clock
    lane_seconds = device.warp_size / clocks
    atomic_bytes = counters.atomics * device.warp_size * SECTOR_BYTES
    terms = (
        demand.bus_bytes / (device.dram_bandwidth * BUS_EFFICIENCY),
        demand.l2_sectors * SECTOR_BYTES / device.l2_bandwidth,
        demand.wavefronts / clocks,
        counters.warp_instructions / (device.issue_slots_per_sm * clocks),
        counters.fp32_instructions * lane_seconds / device.fp32_lanes_per_sm,
        counters.fp64_instructions * lane_seconds / max(1, device.fp64_lanes_per_sm),
        atomic_bytes / device.l2_bandwidth,
        _latency_clocks(counters) / (_active_warps(counters, device) * clocks),
    )
    return math.hypot(*terms)


def _demand(counters: Counters) -> _Demand:
    coalesced = _coalesced_sectors(counters)
    scattered = counters.global_sectors - coalesced
    line_wavefronts = max(counters.global_requests, counters.global_sectors / SECTORS_PER_WAVEFRONT)
    return _Demand(
        bus_bytes=min(counters.footprint_bytes, counters.global_sectors * SECTOR_BYTES),
        l2_sectors=(1 - L1_HIT_SHARE) * coalesced + SCATTER_SURCHARGE * scattered,
        wavefronts=line_wavefronts + counters.shared_wavefronts,
    )


def _coalesced_sectors(counters: Counters) -> int:
    """The sectors that the same requests would have touched side by side, of those they did touch."""
    sites = [site for site in counters.sites if site.space == "global"]
    if not sites:
        return min(counters.global_sectors, SECTORS_PER_WAVEFRONT * counters.global_requests)
    return sum(
        min(site.transactions, max(site.ideal, SECTORS_PER_WAVEFRONT * site.requests)) for site in sites
    )


def _latency_clocks(counters: Counters) -> float:
    """Clocks that the kernel's warps wait, summed over them."""
    return (
        counters.global_requests * REQUEST_LATENCY / REQUESTS_IN_FLIGHT
        + counters.shared_wavefronts * WAVEFRONT_LATENCY
        + counters.barriers * BARRIER_LATENCY
    )


def _active_warps(counters: Counters, device: Device) -> int:
    """Warps on one SM; one where the device could not hold a block at all, so that the model stays finite."""
    found = occupancy(device, counters.threads_per_block, counters.registers, counters.shared_bytes)
    return max(1, found.active_warps)
