"""The time of a kernel on a device from its counters: a throughput model, not a simulation.

The counters come from a problem small enough for the emulator. By default the model computes the time of that work
as part of a problem with ``PROBLEM_BYTES`` of data; with a ``WholeProblem``, the time of the whole problem. A grid that
leaves SMs idle is slow, as on the device: one thread per row of a matrix does not fill a GPU.

Each term is the time that one resource of the device would need alone, in seconds:

- **memory bus**: the compulsory bytes (``Counters.footprint_bytes``, never more than the sectors moved).
- **L2**: the sectors that reach it. Loads that are not compulsory mostly hit the L1; every store passes through, and
  a sector written in part costs more than a whole one.
- **L1 and shared memory**: one look-up of a 128-byte line, or one wavefront of shared memory, per SM and clock.
- **execution**: instructions of each kind at the rate of their lanes; memory instructions and barriers as they issue.
- **atomics**: one sector's passage through the L2 for each lane.
- **blocks**: each block that waits for a free slot costs its SM some clocks.
- **latency**: the time that one warp waits for memory, shared memory, barriers and its last instruction, hidden by as
  many warps as the kernel's occupancy leaves on an SM (Little's law). A launch cannot end before its longest warp:
  where one block's has far more to do than the others', as with rows of very different length, its own waiting is the
  term.

Resources overlap, but never perfectly: the terms are added as a norm, which is close to the largest of them and still
grows with every other. A launch after the first costs the device's launch overhead; the first is common to every
kernel and would drown a small problem.

What was fitted, to which measurements, and how the ranking agrees with others:
``benchmarks/tables/emulator-against-hardware.md``.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from grader.compile.occupancy import occupancy
from grader.model.device import Device
from grader.model.performance_bounds import INTEGER_LANES
from grader.model.plan import LaunchPlan, Role
from grader.model.run import Counters
from grader.model.texture import Texture

SECTOR_BYTES = 32

SECTORS_PER_LINE = 4

LINE_BYTES = SECTOR_BYTES * SECTORS_PER_LINE

L1_HIT_LATENCY, L2_HIT_LATENCY = 40.0, 270.0
"""Clocks to data; 38-43 and 262-273 on A100, RTX 4090 and H100 (Luo et al., arXiv 2402.13499, table of latencies)."""

SHARED_LATENCY = 30.0
"""Clocks to data in shared memory: 29-30 on the same devices, by the same source."""

INSTRUCTION_LATENCY = 5.0
"""Clocks from an instruction to one that needs its result: 4 for most since Volta (Jia et al., arXiv 1804.06826), 6
before; and a PTX instruction is sometimes two of the machine's."""

BARRIER_LATENCY = 40.0
"""Clocks that a warp loses at a barrier where all warps arrive together."""

BUS_EFFICIENCY = 0.9
"""Fitted: the share of the data sheet's bandwidth that a copy reaches."""

L1_HIT_SHARE = 0.8
"""Fitted: the share of the loaded sectors that are not compulsory which the L1 has."""

PARTIAL_SECTOR_COST = 2.5
"""Fitted: passages through the L2 that a sector costs which is written in part. Its write path is half as wide."""

DRAM_LATENCY = 1000.0
"""Fitted: clocks to data in memory that is in use; 470-540 in memory that is not (Luo et al.)."""

REQUESTS_IN_FLIGHT = 6.0
"""Fitted: independent requests that one warp has under way, after the compiler's unrolling."""

PROBLEM_BYTES = 16e6
"""The least data of a problem worth a GPU's time, a matrix of 2048 x 2048 floats: a smaller one is timed as part of one
so large. A compromise: grids meant for a GPU fill it; but one that is small for its data must stay so."""

BLOCK_CLOCKS = 100.0
"""Fitted: clocks between two starts of blocks on one SM."""

OVERLAP = 2.5
"""Fitted: exponent of the norm that adds the terms; 1 would be no overlap, infinity a perfect one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeProblem:
    """The launches of which ``Counters`` counted a part: their blocks, their work as a multiple of what was counted."""

    blocks: int
    times: float
    footprint_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Residence:
    """The distribution of a launch's blocks over the device.

    ``warps`` is how many an SM holds at once, beside ``l1_bytes`` of cache. ``generations`` of blocks follow each other
    on an SM; the busiest SM has ``imbalance`` times the average work.
    """

    warps: int
    l1_bytes: int
    generations: float
    imbalance: float
    waiting_blocks_per_sm: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Traffic:
    """Sectors and requests of global memory, by direction.

    ``cold`` is the share of sectors that memory must deliver; of the other loads, the L1 has the share ``hits``: less
    where one request of every resident warp touches more lines than fit.
    """

    load_requests: float
    load_sectors: float
    whole_store_sectors: float
    partial_store_sectors: float
    lines: float
    cold: float
    hits: float


class NoDoublePrecisionError(ValueError):
    """A kernel computes in double precision, and the device cannot."""


def modelled_seconds(
    counters: Sequence[Counters], device: Device, whole: WholeProblem | None = None
) -> float:
    """Seconds for all kernels of a plan on ``device``, one after the other; ``whole`` is for plans of one kernel.

    Raises: ``NoDoublePrecisionError``.
    """
    launches = sum(kernel.launches for kernel in counters)
    return (
        sum(_kernel_seconds(kernel, device, whole) for kernel in counters)
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


def _kernel_seconds(counters: Counters, device: Device, whole: WholeProblem | None) -> float:
    if counters.fp64_instructions and not device.fp64_lanes_per_sm:
        msg = f"{device.name} has no double precision"
        raise NoDoublePrecisionError(msg)
    if whole is None:
        growth = max(1.0, PROBLEM_BYTES / counters.footprint_bytes) if counters.footprint_bytes else 1.0
        grown = WholeProblem(
            blocks=round(growth * counters.blocks),
            times=growth,
            footprint_bytes=round(growth * counters.footprint_bytes),
        )
        return _kernel_seconds(counters, device, grown) / growth
    terms = _terms(counters, device, whole)
    return float(sum(term**OVERLAP for term in terms) ** (1 / OVERLAP))


def _terms(counters: Counters, device: Device, whole: WholeProblem) -> tuple[float, ...]:
    moved = counters.global_sectors * SECTOR_BYTES * whole.times
    bus_bytes = min(whole.footprint_bytes, moved)
    residence = _residence(counters, device, whole)
    traffic = _traffic(counters, bus_bytes / moved if moved else 0.0, residence)
    clocks = device.sm_count * device.clock
    busiest = whole.times * residence.imbalance / clocks
    return (
        bus_bytes / (device.dram_bandwidth * BUS_EFFICIENCY),
        _l2_sectors(traffic) * whole.times * SECTOR_BYTES / device.l2_bandwidth,
        (traffic.lines + counters.shared_wavefronts) * busiest,
        _execution_clocks(counters, device) * busiest,
        counters.atomics * device.warp_size * SECTOR_BYTES * whole.times / device.l2_bandwidth,
        residence.waiting_blocks_per_sm * BLOCK_CLOCKS / device.clock,
        _warp_clocks(counters, traffic, device, whole)
        * max(residence.generations, counters.warp_imbalance)
        / device.clock,
    )


def _traffic(counters: Counters, cold: float, residence: _Residence) -> _Traffic:
    """Where no sites were kept, all requests count as loads."""
    sites = [site for site in counters.sites if site.space == "global"]
    stores = [site for site in sites if site.store]
    written = sum(site.transactions for site in stores)
    whole = sum(min(site.ideal, site.transactions) for site in stores)
    lines = max(counters.cache_lines, counters.global_requests, counters.global_sectors / SECTORS_PER_LINE)
    wanted = residence.warps * LINE_BYTES * lines / max(1, counters.global_requests)
    return _Traffic(
        load_requests=counters.global_requests - sum(site.requests for site in stores),
        load_sectors=counters.global_sectors - written,
        whole_store_sectors=whole,
        partial_store_sectors=written - whole,
        lines=lines,
        cold=cold,
        hits=L1_HIT_SHARE * min(1.0, residence.l1_bytes / max(1.0, wanted)),
    )


def _l2_sectors(traffic: _Traffic) -> float:
    loads = traffic.load_sectors * (traffic.cold + (1 - traffic.cold) * (1 - traffic.hits))
    return loads + traffic.whole_store_sectors + PARTIAL_SECTOR_COST * traffic.partial_store_sectors


def _execution_clocks(counters: Counters, device: Device) -> float:
    """Clocks of one SM for all instructions, each kind at its own rate."""
    memory = counters.global_requests + counters.shared_requests + counters.barriers
    floating = counters.fp32_instructions + counters.fp64_instructions
    integer = max(0, counters.warp_instructions - floating - memory)
    return memory / device.issue_slots_per_sm + device.warp_size * (
        integer / min(INTEGER_LANES, device.fp32_lanes_per_sm)
        + counters.fp32_instructions / device.fp32_lanes_per_sm
        + counters.fp64_instructions / max(1, device.fp64_lanes_per_sm)
    )


def _residence(counters: Counters, device: Device, whole: WholeProblem) -> _Residence:
    """A device that could not hold a block at all holds one here, so that the model stays finite."""
    found = occupancy(device, counters.threads_per_block, counters.registers, counters.shared_bytes)
    held = max(1, found.active_blocks)
    per_sm = whole.blocks / device.sm_count
    resident = min(held, math.ceil(per_sm))
    shares_l1 = device.l1_bytes > device.shared_bytes_per_sm
    return _Residence(
        warps=resident * _warps_per_block(counters, device),
        l1_bytes=max(0, device.l1_bytes - (resident * counters.shared_bytes if shares_l1 else 0)),
        generations=max(1.0, per_sm / held),
        imbalance=math.ceil(per_sm) / per_sm if 0 < per_sm < held else 1.0,
        waiting_blocks_per_sm=max(0.0, per_sm - held),
    )


def _warps_per_block(counters: Counters, device: Device) -> int:
    return -(-counters.threads_per_block // device.warp_size)


def _warp_clocks(counters: Counters, traffic: _Traffic, device: Device, whole: WholeProblem) -> float:
    """Clocks from a warp's start to its end without other warps."""
    warps = counters.blocks * _warps_per_block(counters, device)
    if not warps:
        return 0.0
    waiting = (
        _waits(traffic.load_requests / warps, counters.barriers / warps) * _load_latency(traffic)
        + counters.shared_requests / warps * SHARED_LATENCY / REQUESTS_IN_FLIGHT
        + counters.barriers / warps * BARRIER_LATENCY
        + counters.warp_instructions / warps * INSTRUCTION_LATENCY
    )
    return waiting * whole.times * counters.blocks / whole.blocks


def _waits(loads: float, barriers: float) -> float:
    """How many times a warp waits for global memory.

    Loads between two barriers cannot be joined by those of the next step. A kernel with fewer loads than steps has
    its barriers elsewhere, as in a tree of sums.
    """
    if not loads:
        return 0.0
    steps = barriers / 2
    return max(1.0, loads / REQUESTS_IN_FLIGHT, steps if steps <= loads else 0.0)


def _load_latency(traffic: _Traffic) -> float:
    cached = traffic.hits * L1_HIT_LATENCY + (1 - traffic.hits) * L2_HIT_LATENCY
    return traffic.cold * DRAM_LATENCY + (1 - traffic.cold) * cached
