"""The time of a kernel on a device from its counters: a throughput model, not a simulation.

The counters come from a problem small enough for the emulator. By default the model computes the time of that work
as part of a problem with ``PROBLEM_BYTES`` of data; with a ``WholeProblem``, the time of the whole problem. A grid that
leaves SMs idle is slow, as on the device: one thread per row of a matrix does not fill a GPU.

Each term is the time that one resource of the device would need alone, in seconds:

- **memory bus**: the compulsory bytes (``Counters.footprint_bytes``, never more than the sectors moved).
- **L2**: the sectors that loads bring from it, and the lines that stores touch. Loads that are not compulsory mostly
  hit the L1; every store passes through, a line at a time, however little of it is written.
- **L1 and shared memory**: one look-up of a 128-byte line, or one wavefront of shared memory, per SM and clock; lines
  of local memory, to which registers spill, are among them. Atomics on shared memory that meet take longer.
- **execution**: instructions of each kind at the rate of their lanes; memory instructions and barriers as they issue.
- **contention**: atomics on the one word of global memory that has most, which the L2 executes one after the other.
- **textures**: reads by the texture units, which are few.
- **blocks**: each block that waits for a free slot costs its SM some clocks.
- **latency**: the time that a block's longest warp waits for memory, shared memory, barriers and the results of
  instructions, and works itself, hidden by as many warps as the kernel's occupancy leaves on an SM (Little's law).
  Independent instructions wait together, and so do independent loads. Where each load is followed by a barrier, the
  warps of a block work at the same time, so that a warp waits for all of them. A launch cannot end before its longest
  warp.

Only busy blocks share out the work: blocks that leave at once, whatever their number, fill no SM and cost their start.

Resources overlap, but never perfectly: the terms are added as a norm, which is close to the largest of them and still
grows with every other. A launch after the first costs the device's launch overhead; the first is common to every
kernel and would drown a small problem.

What was fitted, to which measurements, and how the ranking agrees with others:
``benchmarks/tables/emulator-against-hardware.md``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.engines.cost_traffic import SECTOR_BYTES, Traffic, moved_bytes, traffic
from grader.engines.residence import Residence, busy_share, residence
from grader.engines.warp_waiting import warp_clocks
from grader.model.device import Device
from grader.model.performance_bounds import INTEGER_LANES
from grader.model.plan import LaunchPlan, Role
from grader.model.run import Counters
from grader.model.texture import Texture

BUS_EFFICIENCY = 0.9
"""Fitted: the share of the data sheet's bandwidth that a copy reaches."""

SAME_WORD_CLOCKS = 1.0
"""Clocks between two atomics on one word of global memory since Kepler (white paper of the GK110)."""

SHARED_REPLAY_CLOCKS = 2.0
"""Clocks of an SM for each further atomic of a warp on one word of shared memory. Assumed: a read and a write."""

TEXTURE_READS_PER_CLOCK = 4
"""Texels that an SM's texture units deliver per clock: four units on every device here, by NVIDIA's white papers."""

PROBLEM_BYTES = 16e6
"""The least data of a problem worth a GPU's time, a matrix of 2048 x 2048 floats: a smaller one is timed as part of one
so large. A compromise: grids meant for a GPU fill it; but one that is small for its data must stay so."""

BLOCK_CLOCKS = 180.0
"""Fitted: clocks between two starts of blocks on one SM."""

OVERLAP = 3.5
"""Fitted: exponent of the norm that adds the terms; 1 would be no overlap, infinity a perfect one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeProblem:
    """The launches of which ``Counters`` counted a part: their blocks, their work as a multiple of what was counted."""

    blocks: int
    times: float
    footprint_bytes: int


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
    moved = moved_bytes(counters) * whole.times
    bus_bytes = min(whole.footprint_bytes, moved)
    resident = residence(counters, device, whole.blocks)
    moves = traffic(counters, bus_bytes / moved if moved else 0.0, resident)
    busiest = whole.times * resident.imbalance / (device.sm_count * device.clock)
    return (
        bus_bytes / (device.dram_bandwidth * BUS_EFFICIENCY),
        moves.l2_sectors * whole.times * SECTOR_BYTES / device.l2_bandwidth,
        _l1_clocks(counters, moves) * busiest,
        _execution_clocks(counters, device) * busiest,
        counters.most_atomics * whole.times * SAME_WORD_CLOCKS / device.clock,
        counters.texture_requests * device.warp_size / TEXTURE_READS_PER_CLOCK * busiest,
        resident.waiting_blocks_per_sm * BLOCK_CLOCKS / device.clock,
        _latency_clocks(counters, moves, device, whole, resident) / device.clock,
    )


def _l1_clocks(counters: Counters, moves: Traffic) -> float:
    replays = SHARED_REPLAY_CLOCKS * counters.atomic_replays
    return moves.lines + counters.local_requests + counters.shared_wavefronts + replays


def _latency_clocks(
    counters: Counters, moves: Traffic, device: Device, whole: WholeProblem, resident: Residence
) -> float:
    """Clocks of all generations of busy blocks; each of the whole problem does as much more than one counted."""
    if not resident.busy_blocks:
        return 0.0
    more = whole.times * busy_share(counters) * counters.blocks / resident.busy_blocks
    sm_clocks = max(_l1_clocks(counters, moves), _execution_clocks(counters, device))
    return warp_clocks(counters, moves, device, sm_clocks) * more * resident.generations


def _execution_clocks(counters: Counters, device: Device) -> float:
    """Clocks of one SM for all instructions, each kind at its own rate."""
    memory = (
        counters.global_requests
        + counters.shared_requests
        + counters.barriers
        + counters.local_requests
        + counters.texture_requests
    )
    floating = counters.fp32_instructions + counters.fp64_instructions
    integer = max(0, counters.warp_instructions - floating - memory)
    return memory / device.issue_slots_per_sm + device.warp_size * (
        integer / min(INTEGER_LANES, device.fp32_lanes_per_sm)
        + counters.fp32_instructions / device.fp32_lanes_per_sm
        + counters.fp64_instructions / max(1, device.fp64_lanes_per_sm)
    )
