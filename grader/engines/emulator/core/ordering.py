"""Ordering other than by barriers of the whole block, and a log of recent synchronisations.

A barrier that only some warps take orders only those warps. Accesses of warp ``other`` with a stamp below
``warp.seen[other]`` come before all later accesses of ``warp``, directly or through a third warp. A ``__syncwarp`` of
some lanes orders only those lanes.
"""

from typing import Any

from grader.engines.emulator.core.codes import Op
from grader.engines.emulator.core.host import load_i64, load_u32, store_i64
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.records import PARTIAL_SYNCS
from grader.engines.emulator.core.sync_records import SYNCS
from grader.engines.emulator.core.views import event_at, instruction_at, sync_at, warp_at

_BARRIER = int(Op.BARRIER)


@compiled
def log_sync(ctx: Any, pc: int, warps: int) -> None:
    """Log that ``warps`` (one bit each) synchronised at ``pc``, at the current stamp."""
    if ctx.diagnose:
        sync = sync_at(ctx.syncs, ctx.sync_count % SYNCS)
        sync.stamp = ctx.stamp
        sync.pc = pc
        sync.warps = warps
        sync.block = ctx.block
        ctx.sync_count += 1


@compiled
def explain(ctx: Any, index: int, stamp: int) -> None:
    """Store in event ``index`` the synchronisation after its first access, at ``stamp``, and the one before both.

    A barrier between the two, necessarily one of other warps, takes precedence over other synchronisations.
    """
    event = event_at(ctx.events, index)
    event.between_pc = -1
    event.before_pc = -1
    for back in range(1, min(ctx.sync_count, SYNCS) + 1):
        sync = sync_at(ctx.syncs, (ctx.sync_count - back) % SYNCS)
        if sync.block != ctx.block:
            continue
        is_barrier = instruction_at(ctx.code, sync.pc).op == _BARRIER
        if sync.stamp > stamp:
            if event.between_pc < 0 or (
                is_barrier and instruction_at(ctx.code, event.between_pc).op != _BARRIER
            ):
                event.between_pc = sync.pc
                event.between_warps = sync.warps
        elif is_barrier:
            event.before_pc = sync.pc
            return


@compiled
def waits_at(warp: Any, number: int) -> bool:
    """Whether lanes of a warp wait at barrier ``number``."""
    found = False
    for lane in range(32):
        if (warp.waiting >> lane) & 1 and warp.barrier[lane] == number:
            found = True
    return found


@compiled
def leaves_out_warps(ctx: Any, number: int) -> bool:
    """Whether some warp of the block does not wait at barrier ``number``: it runs elsewhere, or only arrived."""
    left_out = False
    for w in range(ctx.warps):
        left_out |= not waits_at(warp_at(ctx.states, w), number)
    return left_out


@compiled
def order_warps(ctx: Any, number: int) -> None:
    """Order the accesses before the arrivals at barrier ``number`` before the accesses of the released warps."""
    for other in range(32):
        store_i64(ctx.scratch + 8 * other, 0)
    for w in range(ctx.warps):
        if not (ctx.barrier_warps[number] >> w) & 1:
            continue
        warp = warp_at(ctx.states, w)
        for other in range(32):
            store_i64(ctx.scratch + 8 * other, max(load_i64(ctx.scratch + 8 * other), warp.seen[other]))
        arrived = ctx.stamp if waits_at(warp, number) else warp.arrived
        store_i64(ctx.scratch + 8 * w, max(load_i64(ctx.scratch + 8 * w), arrived))
    for w in range(ctx.warps):
        warp = warp_at(ctx.states, w)
        if waits_at(warp, number):
            warp.since = ctx.stamp
            for other in range(32):
                warp.seen[other] = max(warp.seen[other], load_i64(ctx.scratch + 8 * other))


@compiled
def order_lanes(ctx: Any, warp: Any, members: int, lanes: int) -> None:
    """``lanes`` take a warp barrier at a new stamp; each is ordered with those in its mask, at ``members[lane]``."""
    ctx.stamp += 1
    remaining = lanes
    for lane in range(32):
        if not (remaining >> lane) & 1:
            continue
        together = load_u32(members + 4 * lane) & lanes | (1 << lane)
        remaining &= ~together
        if together == warp.live:
            warp.since = ctx.stamp
            continue
        index = warp.partial_syncs % PARTIAL_SYNCS
        if warp.partial_syncs >= PARTIAL_SYNCS:
            warp.since = max(warp.since, warp.partial_stamps[index])
        warp.partial_stamps[index] = ctx.stamp
        warp.partial_lanes[index] = together
        warp.partial_syncs += 1


@compiled
def lanes_are_ordered(warp: Any, lane: int, other: int, stamp: int) -> bool:
    """Whether warp barriers order an access of lane ``other`` at ``stamp`` before the next one of ``lane``."""
    if stamp < warp.since:
        return True
    reached = 1 << lane
    for back in range(1, min(warp.partial_syncs, PARTIAL_SYNCS) + 1):
        index = (warp.partial_syncs - back) % PARTIAL_SYNCS
        if warp.partial_stamps[index] > stamp and warp.partial_lanes[index] & reached:
            reached |= warp.partial_lanes[index]
    return (reached >> other) & 1 == 1
