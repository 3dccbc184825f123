"""Occupancy: how many blocks of a kernel fit on one SM, and which resource limits their number.

The rules are those of NVIDIA's Occupancy Calculator and of ``cuda_occupancy.h``: registers are allocated to warps (to
whole blocks on compute capability 1.x) in units; shared memory is allocated in units, including the reserved part.
"""

from dataclasses import dataclass
from enum import StrEnum

from grader.model.device import Device, RegisterAllocation
from grader.model.reason import Reason, reason


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


def occupancy_advice(
    device: Device, threads_per_block: int, registers: int, shared_bytes: int
) -> Reason | None:
    """How to fit more warps on an SM; ``None`` if occupancy is already 100 %, or if no single change helps.

    One resource is changed at a time, the limiting one first: registers and shared memory by the smallest reduction
    that helps, the block size to the closest of the best sizes.
    """
    now = occupancy(device, threads_per_block, registers, shared_bytes)
    if now.fraction >= 1:
        return None

    def gain(code: str, amount: int, there: Occupancy) -> Reason | None:
        if there.active_warps <= now.active_warps:
            return None
        share = f"{there.fraction * 100:.3g}"
        return reason(code, amount=amount, blocks=there.active_blocks, share=share)

    def by_registers() -> Reason | None:
        fewer = (
            gain("fewer-registers-fit", r, occupancy(device, threads_per_block, r, shared_bytes))
            for r in range(registers - 1, 0, -1)
        )
        return next(filter(None, fewer), None)

    def by_shared() -> Reason | None:
        unit = device.shared_granularity
        largest = (shared_bytes - 1) // unit * unit
        less = (
            gain("less-shared-fits", b, occupancy(device, threads_per_block, registers, b))
            for b in range(largest, -1, -unit)
        )
        return next(filter(None, less), None)

    def by_threads() -> Reason | None:
        sizes = range(device.warp_size, device.max_threads_per_block + 1, device.warp_size)
        best = max(
            sizes,
            key=lambda size: (
                occupancy(device, size, registers, shared_bytes).active_warps,
                -abs(size - threads_per_block),
            ),
        )
        return gain("other-block-fits", best, occupancy(device, best, registers, shared_bytes))

    ways = {
        Limiter.REGISTERS: by_registers,
        Limiter.SHARED_MEMORY: by_shared,
        Limiter.THREADS: by_threads,
        Limiter.BLOCKS: by_threads,
    }
    order = sorted(ways, key=lambda limiter: limiter is not now.limiter)
    return next((advice for limiter in order if (advice := ways[limiter]())), None)


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
