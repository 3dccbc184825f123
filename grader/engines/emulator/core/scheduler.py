"""Schedule blocks and warps: blocks run in order, one at a time unless they wait for each other; warps take turns.

A block keeps its turn until it ends, provably waits for memory that only another block can change, waits at a grid
barrier, or has polled memory for a long time. Then the other resident blocks get their turns. If all of them wait, or
all have had a time slice, the next block of the grid becomes resident.
"""

from typing import Any

from grader.engines.emulator.core.barriers import release_any
from grader.engines.emulator.core.codes import Status, Wait
from grader.engines.emulator.core.host import first_lane
from grader.engines.emulator.core.interpreter import run_warp
from grader.engines.emulator.core.jit import EntryPoint, compiled
from grader.engines.emulator.core.livelock import detect_livelock
from grader.engines.emulator.core.resident_blocks import (
    NONE,
    end_turn,
    free_slot,
    next_candidate,
    next_resident,
    release_grid_barrier,
    start_block,
    start_turn,
)
from grader.engines.emulator.core.views import warp_at

_EMPTY, _READY, _MEMORY, _GRID = int(Wait.EMPTY), int(Wait.READY), int(Wait.MEMORY), int(Wait.GRID)
_DONE, _PAUSED, _DEADLOCK = int(Status.DONE), int(Status.PAUSED), int(Status.DEADLOCK)
_NEEDS_ROOM, _SERVED = int(Status.NEEDS_ROOM), int(Status.SERVICE)
_ENDLESS_LOOP, _ENDLESS_WAIT = int(Status.ENDLESS_LOOP), int(Status.ENDLESS_WAIT)
_LOST_TURN = -1
"""Returned instead of a ``Status`` if the running block went back into the table of resident blocks."""


@EntryPoint
def run(contexts: Any, budget: int) -> int:
    """Continue a launch for about ``budget`` warp micro-operations. Returns: a ``Status``.

    After ``NEEDS_ROOM`` the caller adds memory for one more resident block, or for more turns, and calls again.
    """
    ctx = contexts[0]
    limit = ctx.steps + budget
    while True:
        if not ctx.running:
            if ctx.resident_count == 0 and ctx.started >= ctx.last_block:
                return _DONE
            status = _choose(ctx)
            if status != _DONE:
                return status
        status = _run_block(ctx, limit)
        if status == _DONE:
            ctx.longest_warp = max(ctx.longest_warp, ctx.most_steps)
            ctx.longest_warps += ctx.most_steps
            if ctx.shortest_warp == 0 or ctx.most_steps < ctx.shortest_warp:
                ctx.shortest_warp = ctx.most_steps
            end_turn(ctx, _EMPTY)
        elif status != _LOST_TURN:
            return status


@compiled
def _choose(ctx: Any) -> int:
    """Give the turn to a resident block or to a new one. Returns: ``DONE``, or why no block can run."""
    if 0 < ctx.turn_capacity <= ctx.turn_count:
        return _NEEDS_ROOM
    if ctx.at_grid_barrier == ctx.blocks:
        release_grid_barrier(ctx)
    resident = next_resident(ctx)
    room = ctx.started < ctx.last_block and ctx.resident_count < ctx.resident_limit
    if room and (resident == NONE or ctx.yielded >= ctx.resident_count > 0):
        slot = free_slot(ctx)
        if slot == ctx.resident_slots:
            return _NEEDS_ROOM
        start_block(ctx, slot)
        return _DONE
    if resident == NONE:
        resident = next_candidate(ctx)
    if resident == NONE:
        return _ENDLESS_WAIT
    start_turn(ctx, resident)
    return _DONE


@compiled
def _run_block(ctx: Any, limit: int) -> int:
    """Run the warps of the current block in turn until it ends, waits, or reaches ``limit``. Returns: a status."""
    idle = 0
    while ctx.live > 0:
        if ctx.turn >= ctx.warps:
            ctx.turn = 0
        w = ctx.warp_order[ctx.turn]
        ctx.turn += 1
        warp = warp_at(ctx.states, w)
        if warp.live & ~warp.waiting == 0 or warp.livelock_version == ctx.version:
            idle += 1
            if idle > ctx.warps and not release_any(ctx):
                return _wait(ctx)
            continue
        idle = 0
        before = ctx.steps
        status = run_warp(ctx, w)
        warp.steps += ctx.steps - before
        ctx.most_steps = max(ctx.most_steps, warp.steps)
        if status == _SERVED:
            ctx.turn -= 1  # the same warp continues after Python has served the request,
            ctx.version += 1  # which may change more than memory
        if status != _DONE:
            return status
        ready = warp.live & ~warp.waiting
        if ready and detect_livelock(ctx, w):
            lane = first_lane(ready)
            ctx.stopped_pc = warp.pcs[lane]
            ctx.stopped_thread = w * 32 + lane
            return _ENDLESS_LOOP
        if ctx.steps >= limit:
            return _PAUSED
        if ctx.polls > 0 and ctx.steps >= ctx.slice_end and ctx.blocks > 1:
            ctx.yielded += 1
            end_turn(ctx, _READY)
            return _LOST_TURN
    return _DONE


@compiled
def _wait(ctx: Any) -> int:
    """End the turn of a block if all its warps wait. Returns: a ``Status``, or ``_LOST_TURN``."""
    for w in range(ctx.warps):
        warp = warp_at(ctx.states, w)
        if warp.live & ~warp.waiting:
            end_turn(ctx, _MEMORY)
            return _LOST_TURN
    if ctx.grid_lanes == ctx.live:
        end_turn(ctx, _GRID)
        return _LOST_TURN
    return _DEADLOCK
