"""Occupancy: how many blocks of a kernel fit on one SM, and which resource limits their number.

The rules are those of NVIDIA's Occupancy Calculator and of ``cuda_occupancy.h``: registers are allocated to warps (to
whole blocks on compute capability 1.x) in units; shared memory is allocated in units, including the reserved part.
"""

from dataclasses import dataclass
from enum import StrEnum

from grader.model.device import Device, RegisterAllocation


class Limiter(StrEnum):
    """The resource that allows the fewest blocks; on a tie, the one listed first here."""

    THREADS = "threads"
    BLOCKS = "blocks"
    REGISTERS = "registers"
    SHARED_MEMORY = "shared memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class Occupancy:
    """Occupancy of one SM by a kernel. ``fraction`` is active warps over the maximum of an SM (0..1).

    ``active_blocks`` is 0 if not even one block fits; ``limiter`` then names the resource that is too small.
    """

    active_blocks: int
    active_warps: int
    fraction: float
    limiter: Limiter


def occupancy(device: Device, threads_per_block: int, registers: int, shared_bytes: int) -> Occupancy:
    """Occupancy of a kernel with ``registers`` per thread and ``shared_bytes`` (static and dynamic) per block.

    Raises: ``ValueError`` for an empty block or a negative number.
    """
    if threads_per_block < 1 or registers < 0 or shared_bytes < 0:
        msg = f"no such kernel: {threads_per_block} threads, {registers} registers, {shared_bytes} bytes"
        raise ValueError(msg)
    warps = _ceil_div(threads_per_block, device.warp_size)
    blocks_by = {
        Limiter.THREADS: _blocks_by_threads(device, threads_per_block, warps),
        Limiter.BLOCKS: device.max_blocks_per_sm,
        Limiter.REGISTERS: _blocks_by_registers(device, warps, registers),
        Limiter.SHARED_MEMORY: _blocks_by_shared(device, shared_bytes),
    }
    limiter = min(blocks_by, key=blocks_by.__getitem__)
    blocks = blocks_by[limiter]
    return Occupancy(
        active_blocks=blocks,
        active_warps=blocks * warps,
        fraction=blocks * warps / device.max_warps_per_sm,
        limiter=limiter,
    )


def occupancy_advice(device: Device, threads_per_block: int, registers: int, shared_bytes: int) -> str:
    """One sentence on how to fit more warps on an SM; empty if occupancy is already 100 %.

    One resource is changed at a time, the limiting one first: registers and shared memory by the smallest reduction
    that helps, the block size to the closest of the best sizes.
    """
    now = occupancy(device, threads_per_block, registers, shared_bytes)
    if now.fraction >= 1:
        return ""

    def found(threads: int, needed_registers: int, needed_bytes: int) -> str | None:
        there = occupancy(device, threads, needed_registers, needed_bytes)
        if there.active_warps <= now.active_warps:
            return None
        return f"would fit {_blocks(there.active_blocks)}, {there.fraction * 100:.3g} % occupancy"

    def by_registers() -> str | None:
        fewer = ((r, found(threads_per_block, r, shared_bytes)) for r in range(registers - 1, 0, -1))
        return next((f"{r} registers or fewer per thread {gain}" for r, gain in fewer if gain), None)

    def by_shared() -> str | None:
        unit = device.shared_granularity
        less = (
            (b, found(threads_per_block, registers, b)) for b in range(shared_bytes // unit * unit, -1, -unit)
        )
        return next(
            (
                f"{b} bytes or less of shared memory per block {gain}"
                for b, gain in less
                if gain and b < shared_bytes
            ),
            None,
        )

    def by_threads() -> str | None:
        sizes = range(device.warp_size, device.max_threads_per_block + 1, device.warp_size)
        best = max(
            sizes,
            key=lambda size: (
                occupancy(device, size, registers, shared_bytes).active_warps,
                -abs(size - threads_per_block),
            ),
        )
        gain = found(best, registers, shared_bytes)
        return gain and f"blocks of {best} threads {gain}"

    ways = {
        Limiter.REGISTERS: by_registers,
        Limiter.SHARED_MEMORY: by_shared,
        Limiter.THREADS: by_threads,
        Limiter.BLOCKS: by_threads,
    }
    order = sorted(ways, key=lambda limiter: limiter is not now.limiter)
    return next((text for limiter in order if (text := ways[limiter]())), "")


def _blocks(count: int) -> str:
    return f"{count} block" if count == 1 else f"{count} blocks"


def _blocks_by_threads(device: Device, threads: int, warps: int) -> int:
    if threads > device.max_threads_per_block:
        return 0
    return min(device.max_threads_per_sm // threads, device.max_warps_per_sm // warps)


def _blocks_by_registers(device: Device, warps: int, registers: int) -> int:
    if registers == 0:
        return device.max_blocks_per_sm
    unit = device.register_granularity
    if device.register_allocation is RegisterAllocation.BLOCK:
        allocated_warps = _round_up(warps, device.warp_granularity)
        return device.registers_per_sm // _round_up(allocated_warps * device.warp_size * registers, unit)
    warps_that_fit = device.registers_per_sm // _round_up(device.warp_size * registers, unit)
    return warps_that_fit // device.warp_granularity * device.warp_granularity // warps


def _blocks_by_shared(device: Device, shared_bytes: int) -> int:
    if shared_bytes > device.shared_bytes_per_block:
        return 0
    taken = _round_up(shared_bytes + device.reserved_shared_per_block, device.shared_granularity)
    return device.shared_bytes_per_sm // taken if taken else device.max_blocks_per_sm


def _ceil_div(value: int, unit: int) -> int:
    return -(-value // unit)


def _round_up(value: int, unit: int) -> int:
    return _ceil_div(value, unit) * unit
