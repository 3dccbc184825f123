"""How many blocks of a kernel share one SM, and which resource runs out first.

The rules are those of NVIDIA's Occupancy Calculator and of ``cuda_occupancy.h``: registers are handed out to warps (to
whole blocks on compute capability 1.x) in units, shared memory in units after the system's own part.
"""

from dataclasses import dataclass
from enum import StrEnum

from grader.model.device import Device, RegisterAllocation


class Limiter(StrEnum):
    """The resource that allows the fewest blocks; of several, the one that comes first here."""

    THREADS = "threads"
    BLOCKS = "blocks"
    REGISTERS = "registers"
    SHARED_MEMORY = "shared memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class Occupancy:
    """What one SM holds of a kernel. ``fraction`` is active warps over the most warps an SM can hold (0..1).

    ``active_blocks`` is 0 where not even one block fits; ``limiter`` then names what it does not fit in.
    """

    active_blocks: int
    active_warps: int
    fraction: float
    limiter: Limiter


def occupancy(device: Device, threads_per_block: int, registers: int, shared_bytes: int) -> Occupancy:
    """Occupancy of a kernel with ``registers`` per thread and ``shared_bytes`` (static and dynamic) per block.

    Raises: ``ValueError`` for an empty block or negative needs.
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
