"""Resident blocks: start a block, start its turn and end its turn.

The context holds the state of the block that has the turn; the table of resident blocks holds the others. Ordinary
kernels have only one resident block at a time.
"""

from typing import Any

from grader.engines.emulator.core.codes import Wait
from grader.engines.emulator.core.exchange import start_tracking, sum_up_threads
from grader.engines.emulator.core.frames import ROW_LOCAL
from grader.engines.emulator.core.host import load_i64, store_i32, store_i64, zero_bytes
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.livelock import memory_changed
from grader.engines.emulator.core.records import BARRIERS, CONTEXT, GRID_BARRIER, RESIDENT
from grader.engines.emulator.core.views import resident_at, warp_at

_EMPTY, _READY, _MEMORY, _GRID = int(Wait.EMPTY), int(Wait.READY), int(Wait.MEMORY), int(Wait.GRID)
_RESIDENT_BYTES = RESIDENT.itemsize
_RESIDENT_START = CONTEXT.fields["block"][1] if CONTEXT.fields else 0
_FIRST_SLICE = 1 << 18
"""Micro-operations after which a block that polls memory yields to other blocks."""

_LATER_TURNS = 16
"""The same in turns of its warps if several blocks are resident: enough to detect a livelock."""

_SHARED_QUANTUM = 128
"""Micro-operations of a warp's turn if several blocks are resident, because they poll often and run little."""

NONE = -1
"""No resident block."""


@compiled
def _copy(target: int, source: int) -> None:
    for offset in range(0, _RESIDENT_BYTES, 8):
        store_i64(target + offset, load_i64(source + offset))


@compiled
def start_turn(ctx: Any, number: int) -> None:
    """Give the turn to resident block ``number``. The turn log must have room for one more turn."""
    _copy(ctx.self + _RESIDENT_START, ctx.resident_blocks + number * _RESIDENT_BYTES)
    ctx.current = number
    ctx.running = 1
    ctx.polls = 0
    alone = ctx.resident_count == 1
    ctx.turn_steps = ctx.quantum if alone else min(ctx.quantum, _SHARED_QUANTUM)
    ctx.slice_end = ctx.steps + (_FIRST_SLICE if alone else _LATER_TURNS * ctx.turn_steps * (ctx.warps + 1))
    ctx.stamp += 1
    ctx.turn_stamp = ctx.stamp
    if ctx.turn_capacity > 0:
        store_i64(ctx.turn_stamps + 8 * ctx.turn_count, ctx.stamp)
        store_i64(ctx.turn_blocks + 8 * ctx.turn_count, ctx.block)
        ctx.turn_count += 1
    x = ctx.block % ctx.grid_x
    y = ctx.block // ctx.grid_x % ctx.grid_y
    z = ctx.block // (ctx.grid_x * ctx.grid_y)
    multiprocessor = ctx.block % ctx.sm_count * ctx.sm_stride % ctx.sm_count
    first_warp = ctx.block // ctx.sm_count % ctx.blocks_per_sm * ctx.warps
    for lane in range(32):
        store_i32(ctx.constants + ctx.block_rows + 4 * lane, x)
        store_i32(ctx.constants + ctx.block_rows + 128 + 4 * lane, y)
        store_i32(ctx.constants + ctx.block_rows + 256 + 4 * lane, z)
        store_i32(ctx.constants + ctx.block_rows + 384 + 4 * lane, multiprocessor)
        store_i32(ctx.constants + ctx.block_rows + 512 + 4 * lane, first_warp)


@compiled
def end_turn(ctx: Any, wait: int) -> None:
    """Put the running block back into the table; ``wait`` says whether it can continue."""
    ctx.wait = wait
    ctx.waits_at = ctx.version
    ctx.running = 0
    if wait == _EMPTY:
        ctx.resident_count -= 1
        if ctx.diagnose:
            sum_up_threads(ctx)
    elif wait == _GRID:
        ctx.at_grid_barrier += 1
    _copy(ctx.resident_blocks + ctx.current * _RESIDENT_BYTES, ctx.self + _RESIDENT_START)


@compiled
def start_block(ctx: Any, number: int) -> None:
    """Start the next block of the order in the free slot ``number`` and give it the turn."""
    resident = resident_at(ctx.resident_blocks, number)
    resident.block = (ctx.first_block + ctx.started * ctx.block_stride) % ctx.blocks
    resident.wait = _READY
    ctx.started += 1
    ctx.resident_count += 1
    ctx.yielded = 0
    start_turn(ctx, number)
    ctx.turn = 0
    ctx.live = ctx.block_threads
    ctx.most_steps = 0
    ctx.exited = 0
    ctx.block_stamp = ctx.stamp
    ctx.since = ctx.stamp
    ctx.acquired = 0
    for scope in range(2):
        ctx.fenced[scope] = 0
        ctx.released_before[scope] = 0
    ctx.grid_lanes = 0
    if ctx.diagnose:
        zero_bytes(ctx.shared_writers, ctx.shared_bytes)
    for word in range(ctx.shared_bytes >> 2):
        store_i32(ctx.shared + 4 * word, ctx.poison)
    for barrier in range(BARRIERS):
        ctx.barrier_lanes[barrier] = 0
        ctx.barrier_wanted[barrier] = 0
        ctx.barrier_sum[barrier] = 0
        ctx.barrier_warps[barrier] = 0
    for w in range(ctx.warps):
        _start_warp(ctx, w)


@compiled
def _start_warp(ctx: Any, w: int) -> None:
    warp = warp_at(ctx.states, w)
    threads = min(32, ctx.block_threads - 32 * w)
    warp.live = (1 << threads) - 1
    warp.waiting = 0
    warp.at_warp_sync = 0
    warp.ignores_absent = 0
    warp.rotation = 0
    warp.since = ctx.stamp
    for scope in range(2):
        warp.fenced[scope] = 0
        warp.fence_since[scope] = 0
        warp.fenced_before[scope] = 0
    warp.tainted = 0
    warp.taint_pc = -1
    warp.steps = 0
    warp.turns = 0
    warp.checked_until = 0
    warp.anchor_version = 0
    warp.livelock_version = 0
    for lane in range(32):
        warp.pcs[lane] = ctx.entry
        warp.frames[lane] = 0
        warp.diverged_at[lane] = -1
    if ctx.diagnose:
        start_tracking(ctx, w)
    zero_bytes(ctx.frames + w * ctx.frame_bytes + ROW_LOCAL, 256)


@compiled
def next_resident(ctx: Any) -> int:
    """The next resident block that is ready or waits for memory that has changed; ``NONE`` if there is none."""
    for step in range(1, ctx.resident_slots + 1):
        number = (ctx.current + step) % ctx.resident_slots
        resident = resident_at(ctx.resident_blocks, number)
        if resident.wait == _READY or (_may_resume(ctx, resident) and memory_changed(ctx, resident)):
            return number
    return NONE


@compiled
def next_candidate(ctx: Any) -> int:
    """The next resident block that waits for memory and has not run since the last change of memory; or ``NONE``.

    A loop may read several addresses, so the block must run to find out whether it can continue.
    """
    for step in range(1, ctx.resident_slots + 1):
        number = (ctx.current + step) % ctx.resident_slots
        if _may_resume(ctx, resident_at(ctx.resident_blocks, number)):
            return number
    return NONE


@compiled
def _may_resume(ctx: Any, resident: Any) -> bool:
    return resident.wait == _MEMORY and resident.waits_at != ctx.version


@compiled
def free_slot(ctx: Any) -> int:
    """The first slot without a block; ``resident_slots`` if all are in use."""
    for number in range(ctx.resident_slots):
        if resident_at(ctx.resident_blocks, number).wait == _EMPTY:
            return number
    return ctx.resident_slots


@compiled
def release_grid_barrier(ctx: Any) -> None:
    """Release all blocks from the grid barrier; it orders all accesses before it before all accesses after it."""
    ctx.at_grid_barrier = 0
    ctx.version += 1
    ctx.stamp += 1
    ctx.launch_stamp = ctx.stamp
    for number in range(ctx.resident_slots):
        resident = resident_at(ctx.resident_blocks, number)
        if resident.wait != _GRID:
            continue
        resident.wait = _READY
        resident.grid_lanes = 0
        resident.since = ctx.stamp
        for w in range(ctx.warps):
            warp = warp_at(resident.states, w)
            warp.since = ctx.stamp
            for lane in range(32):
                if (warp.waiting >> lane) & 1 and warp.barrier[lane] == GRID_BARRIER:
                    warp.waiting &= ~(1 << lane)
