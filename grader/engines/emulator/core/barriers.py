"""Block barriers: arrival, release, and the events for barriers that threads miss."""

from enum import IntEnum
from typing import Any

from grader.engines.emulator.core.codes import EventKind, Op
from grader.engines.emulator.core.events import note
from grader.engines.emulator.core.host import load_u32, popcount, store_i32
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.ordering import leaves_out_warps, log_sync, order_warps, waits_at
from grader.engines.emulator.core.records import BARRIERS, GRID_BARRIER
from grader.engines.emulator.core.releases import carry_fences
from grader.engines.emulator.core.rows import operand, uniform
from grader.engines.emulator.core.views import event_at, instruction_at, warp_at


class Reduction(IntEnum):
    """Reduction of ``bar.red`` over the block."""

    NONE = 0
    COUNT = 1
    AND = 2
    OR = 3


_NONE, _COUNT, _AND = int(Reduction.NONE), int(Reduction.COUNT), int(Reduction.AND)
_ARRIVE = int(Op.BARRIER_ARRIVE)
_DIVERGENT, _EXITED = int(EventKind.DIVERGENT_BARRIER), int(EventKind.EXITED_BEFORE_BARRIER)


@compiled
def arrive(ctx: Any, w: int, pc: int, frame: int, mask: int) -> None:
    """Lanes ``mask`` of warp ``w`` arrive at the barrier at ``pc``; their program counters already point behind it.

    ``a`` is the barrier's number, ``b`` the number of threads it waits for (0: the block). Arrivals count in whole
    warps.
    """
    ins = instruction_at(ctx.code, pc)
    warp = warp_at(ctx.states, w)
    number = uniform(ctx, frame, ins.a, mask) & (BARRIERS - 1)
    for lane in range(32):
        if (warp.waiting >> lane) & 1 and warp.pcs[lane] != pc + 1:
            thread, other = w * 32 + _lowest(mask), w * 32 + lane
            note(ctx, _DIVERGENT, pc, warp.pcs[lane] - 1, 0, number, 0, thread, other, ctx.block)
            break
    ctx.version += 1  # other warps may continue because of it
    ctx.barrier_lanes[number] += popcount(mask)
    ctx.barrier_warps[number] |= 1 << w
    wanted = uniform(ctx, frame, ins.b, mask)
    if wanted > 0:
        ctx.barrier_wanted[number] = wanted
    if ins.function != _NONE:
        yes = load_u32(operand(ctx, frame, ins.c)) & mask
        ctx.barrier_sum[number] += popcount(yes)
    if ins.op == _ARRIVE:
        ctx.stamp += 1
        warp.arrived = ctx.stamp
    else:
        warp.waiting |= mask
        for lane in range(32):
            if (mask >> lane) & 1:
                warp.barrier[lane] = number
    release(ctx, number)


@compiled
def arrive_at_grid(ctx: Any, w: int, mask: int) -> None:
    """Lanes ``mask`` of warp ``w`` wait for the whole grid; their program counters point behind the barrier."""
    warp = warp_at(ctx.states, w)
    warp.waiting |= mask
    for lane in range(32):
        if (mask >> lane) & 1:
            warp.barrier[lane] = GRID_BARRIER
    ctx.grid_lanes += popcount(mask)


@compiled
def _lowest(mask: int) -> int:
    for lane in range(32):
        if (mask >> lane) & 1:
            return lane
    return 0


@compiled
def release(ctx: Any, number: int) -> bool:
    """Release the threads at barrier ``number`` if all of them have arrived. Returns: whether it did so."""
    arrived = ctx.barrier_lanes[number]
    wanted = ctx.barrier_wanted[number]
    whole = wanted == 0
    if arrived == 0:
        return False
    if (whole and arrived < ctx.live) or (not whole and not _reached(ctx, number, wanted)):
        return False
    ctx.version += 1
    ctx.stamp += 1
    if not whole and leaves_out_warps(ctx, number):
        order_warps(ctx, number)
    else:
        carry_fences(ctx)
        ctx.since = ctx.stamp
    total, warps = ctx.barrier_sum[number], ctx.barrier_warps[number]
    ctx.barrier_lanes[number] = 0
    ctx.barrier_wanted[number] = 0
    ctx.barrier_sum[number] = 0
    ctx.barrier_warps[number] = 0
    taken = -1
    for w in range(ctx.warps):
        warp = warp_at(ctx.states, w)
        if ctx.since == ctx.stamp:
            warp.since = ctx.stamp
        if warp.waiting == 0:
            continue
        for lane in range(32):
            if (warp.waiting >> lane) & 1 and warp.barrier[lane] == number:
                _write_reduction(ctx, warp, w, lane, total, arrived)
                warp.waiting &= ~(1 << lane)
                taken = warp.pcs[lane] - 1
                if ctx.exited > 0 and whole:
                    _note_exited(ctx, taken, number, w * 32 + lane)
    if taken >= 0:
        log_sync(ctx, taken, warps)
    return True


@compiled
def _note_exited(ctx: Any, pc: int, number: int, thread: int) -> None:
    """Record that ``thread`` waited at a barrier that exited threads of its block cannot reach."""
    event = note(ctx, _EXITED, pc, ctx.first_exit_pc, 0, number, 0, thread, ctx.first_exited, ctx.block)
    if event >= 0 and event_at(ctx.events, event).count == 1:
        event_at(ctx.events, event).detail = ctx.exited


@compiled
def _reached(ctx: Any, number: int, wanted: int) -> bool:
    """Whether ``wanted`` threads have arrived, or all live threads if a warp waits."""
    rounded = _rounded_arrivals(ctx, number)
    if rounded >= wanted:
        return True
    any_waits = False
    for w in range(ctx.warps):
        any_waits |= waits_at(warp_at(ctx.states, w), number)
    return any_waits and rounded >= ctx.live


@compiled
def _rounded_arrivals(ctx: Any, number: int) -> int:
    """The number of arrived threads, rounded up to whole warps, as barriers with a thread count require."""
    waiting_lanes = 0
    threads = 0
    for w in range(ctx.warps):
        present = 0
        warp = warp_at(ctx.states, w)
        for lane in range(32):
            if (warp.waiting >> lane) & 1 and warp.barrier[lane] == number:
                present += 1
        waiting_lanes += present
        if present > 0:
            threads += 32
    return threads + (ctx.barrier_lanes[number] - waiting_lanes)


@compiled
def _write_reduction(ctx: Any, warp: Any, w: int, lane: int, total: int, arrived: int) -> None:
    """Write the result of a barrier with a reduction for one waiting lane."""
    ins = instruction_at(ctx.code, warp.pcs[lane] - 1)
    if ins.function == _NONE:
        return
    target = ctx.frames + w * ctx.frame_bytes + warp.frames[lane] + ins.d
    if ins.function == _COUNT:
        store_i32(target + 4 * lane, total)
        return
    holds = total == arrived if ins.function == _AND else total > 0
    bits = load_u32(target)
    store_i32(target, bits | (1 << lane) if holds else bits & ~(1 << lane))


@compiled
def release_any(ctx: Any) -> bool:
    """Release the first barrier that exited threads no longer hold up. Returns: whether it released one."""
    released = False
    for number in range(BARRIERS):
        if not released:
            released = release(ctx, number)
    return released
