"""A warp's turn: 32 lanes in lockstep, instruction by instruction."""

from typing import Any

from grader.engines.emulator.core.barriers import arrive, arrive_at_grid, release_any
from grader.engines.emulator.core.calls import call, call_indirect, return_lanes
from grader.engines.emulator.core.codes import EventKind, Op, Status
from grader.engines.emulator.core.collectives import active_mask, match, shuffle, vote
from grader.engines.emulator.core.events import note
from grader.engines.emulator.core.host import first_lane, load_i32, load_u32, popcount, store_i32, store_i64
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.memory import access
from grader.engines.emulator.core.ordering import log_sync
from grader.engines.emulator.core.rows import operand, uniform
from grader.engines.emulator.core.selection import select, suspend
from grader.engines.emulator.core.views import event_at, hits_at, instruction_at, traffic_at, warp_at
from grader.engines.emulator.isa.table import NUMBER
from grader.engines.emulator.isa.unit import execute

_BRANCH, _BRANCH_INDEXED, _CALL = int(Op.BRANCH), int(Op.BRANCH_INDEXED), int(Op.CALL)
_RETURN, _EXIT, _TRAP = int(Op.RETURN), int(Op.EXIT), int(Op.TRAP)
_LOAD, _STORE, _ATOMIC, _FENCE = int(Op.LOAD), int(Op.STORE), int(Op.ATOMIC), int(Op.FENCE)
_BARRIER, _BARRIER_ARRIVE, _WARP_BARRIER = int(Op.BARRIER), int(Op.BARRIER_ARRIVE), int(Op.WARP_BARRIER)
_SHUFFLE, _VOTE, _MATCH, _ACTIVE_MASK = int(Op.SHUFFLE), int(Op.VOTE), int(Op.MATCH), int(Op.ACTIVE_MASK)
_THREAD_ROW, _CLOCK = int(Op.THREAD_ROW), int(Op.CLOCK)
_SERVICE, _CALL_INDIRECT = int(Op.SERVICE), int(Op.CALL_INDIRECT)
_DONE, _TRAPPED = int(Status.DONE), int(Status.TRAPPED)
_BAD_JUMP, _SERVED = int(Status.BAD_JUMP), int(Status.SERVICE)
_MISSING_LANES = int(EventKind.MISSING_LANES)
_MOVE_32 = NUMBER["mov.i32"]
_GRID_BARRIER = int(Op.GRID_BARRIER)
_ALL = 0xFFFFFFFF


@compiled
def _count_executions(ctx: Any, first: int, last: int, mask: int) -> int:
    """The instructions from ``first`` up to but without ``last`` have run once more."""
    lanes = popcount(mask)
    begin, end = hits_at(ctx.hits, first), hits_at(ctx.hits, last)
    begin.warps += 1
    begin.lanes += lanes
    end.warps -= 1
    end.lanes -= lanes
    ctx.steps += last - first
    return last


@compiled
def _absent_lanes(ctx: Any, warp: Any, ins: Any, frame: int, mask: int) -> int:
    """The live lanes that a ``.sync`` instruction names and that are not here."""
    members = operand(ctx, frame, ins.target)
    named = 0
    for lane in range(32):
        if (mask >> lane) & 1:
            named |= load_u32(members + 4 * lane)
    return named & warp.live & ~mask & _ALL


@compiled
def _guarded(ins: Any, frame: int, mask: int) -> int:
    bits = load_u32(frame + ins.guard)
    return mask & ~bits if ins.guard_not else mask & bits


@compiled
def _stop(ctx: Any, warp: Any, w: int, pc: int, frame: int, mask: int, status: int) -> int:
    """End the run at ``pc`` and say which thread was there."""
    suspend(warp, mask, pc, frame)
    ctx.stopped_pc = pc
    ctx.stopped_thread = w * 32 + first_lane(mask)
    return status


@compiled
def _request_service(
    ctx: Any, warp: Any, w: int, pc: int, frame: int, mask: int, lanes: int, turn_end: int
) -> int:
    """Leave the operation at ``pc`` to Python; the same warp goes on behind it, in the same turn."""
    _stop(ctx, warp, w, pc, frame, lanes, _SERVED)
    suspend(warp, mask, pc + 1, frame)
    ctx.service_lanes = lanes
    ctx.service_rows = ctx.frames + w * ctx.frame_bytes + frame
    ctx.turn_end = turn_end
    return _SERVED


@compiled
def run_warp(ctx: Any, w: int) -> int:
    """Let warp ``w`` run until it waits, ends or has used up its turn."""
    warp = warp_at(ctx.states, w)
    base = ctx.frames + w * ctx.frame_bytes
    constants = ctx.constants
    turn_end = ctx.turn_end or ctx.steps + ctx.turn_steps
    ctx.turn_end = 0
    while True:
        mask = select(ctx, warp)
        if mask == 0:
            if warp.at_warp_sync & ~warp.waiting == 0:
                return _DONE
            warp.ignores_absent = 1
            warp.at_warp_sync = 0
            continue
        pc, frame, reconvergence_pc = ctx.chosen_pc, ctx.chosen_frame, ctx.reconvergence_pc
        alone = mask == warp.live
        rows = base + frame
        first = pc
        while True:
            ins = instruction_at(ctx.code, pc)
            op = ins.op
            if op < _BRANCH:
                lanes = mask if ins.guard < 0 else _guarded(ins, rows, mask)
                execute(op, rows, constants, ins.d, ins.a, ins.b, ins.c, ins.imm, lanes)
                pc += 1
            elif op == _BRANCH:
                taken = mask if ins.guard < 0 else _guarded(ins, rows, mask)
                if taken == 0:
                    pc += 1
                else:
                    first = _count_executions(ctx, first, pc + 1, mask)
                    if taken != mask:
                        traffic_at(ctx.traffic, pc).divergences += 1
                        for lane in range(32):
                            if (mask >> lane) & 1:
                                warp.diverged_at[lane] = pc
                        suspend(warp, taken, ins.target, frame)
                        suspend(warp, mask & ~taken, pc + 1, frame)
                        break
                    pc = ins.target
                    first = pc
                    if ctx.steps >= turn_end or not alone:
                        suspend(warp, mask, pc, frame)
                        ctx.stopped_pc = pc
                        ctx.stopped_thread = w * 32 + first_lane(mask)
                        break
            elif op <= _ATOMIC and op >= _LOAD:
                lanes = mask if ins.guard < 0 else _guarded(ins, rows, mask)
                if lanes:
                    access(ctx, w, pc, rows, lanes, op - _LOAD)
                pc += 1
            else:
                lanes = mask if ins.guard < 0 else _guarded(ins, rows, mask)
                if lanes == 0:
                    pc += 1
                elif op in (_BARRIER, _BARRIER_ARRIVE):
                    _count_executions(ctx, first, pc + 1, mask)
                    suspend(warp, mask, pc + 1, frame)
                    arrive(ctx, w, pc, rows, lanes)
                    ctx.stopped_pc = pc
                    break
                elif op == _GRID_BARRIER:
                    _count_executions(ctx, first, pc + 1, mask)
                    suspend(warp, mask, pc + 1, frame)
                    arrive_at_grid(ctx, w, lanes)
                    break
                elif _WARP_BARRIER <= op <= _MATCH:
                    if _absent_lanes(ctx, warp, ins, rows, lanes) and not warp.ignores_absent:
                        _count_executions(ctx, first, pc, mask)
                        suspend(warp, mask, pc, frame)
                        warp.at_warp_sync |= mask
                        break
                    if warp.ignores_absent:
                        warp.ignores_absent = 0
                        if _absent_lanes(ctx, warp, ins, rows, lanes):
                            thread = w * 32 + first_lane(lanes)
                            absent = _absent_lanes(ctx, warp, ins, rows, lanes)
                            other = w * 32 + first_lane(absent)
                            event = note(ctx, _MISSING_LANES, pc, -1, 0, 0, absent, thread, other, ctx.block)
                            if event >= 0:
                                event_at(ctx.events, event).detail = uniform(ctx, rows, ins.target, lanes)
                    if op == _SHUFFLE:
                        shuffle(ctx, ins, rows, lanes)
                    elif op == _VOTE:
                        vote(ctx, ins, rows, lanes)
                    elif op == _MATCH:
                        match(ctx, ins, rows, lanes)
                    else:
                        ctx.stamp += 1
                        warp.since = ctx.stamp
                        log_sync(ctx, pc, 1 << w)
                    pc += 1
                elif op == _EXIT:
                    _count_executions(ctx, first, pc + 1, mask)
                    warp.live &= ~lanes
                    ctx.live -= popcount(lanes)
                    if ctx.exited == 0:
                        ctx.first_exited = w * 32 + first_lane(lanes)
                        ctx.first_exit_pc = warp.diverged_at[first_lane(lanes)] if warp.live != 0 else -1
                    ctx.exited += popcount(lanes)
                    suspend(warp, mask & ~lanes, pc + 1, frame)
                    release_any(ctx)
                    break
                elif op in (_CALL, _CALL_INDIRECT):
                    _count_executions(ctx, first, pc + 1, mask)
                    suspend(warp, mask & ~lanes, pc + 1, frame)
                    if op == _CALL:
                        status = call(ctx, ins, warp, base, pc, frame, lanes)
                    else:
                        status = call_indirect(ctx, ins, warp, base, pc, frame, lanes)
                    if status != _DONE:
                        return _stop(ctx, warp, w, pc, frame, mask, status)
                    break
                elif op == _RETURN:
                    _count_executions(ctx, first, pc + 1, mask)
                    suspend(warp, mask & ~lanes, pc + 1, frame)
                    return_lanes(warp, base, frame, lanes)
                    break
                elif op == _BRANCH_INDEXED:
                    _count_executions(ctx, first, pc + 1, mask)
                    suspend(warp, mask & ~lanes, pc + 1, frame)
                    index = operand(ctx, rows, ins.a)
                    parts = 0
                    for lane in range(32):
                        if (lanes >> lane) & 1:
                            choice = load_u32(index + 4 * lane)
                            if choice >= ins.count:
                                return _stop(ctx, warp, w, pc, frame, mask, _BAD_JUMP)
                            if choice != load_u32(index + 4 * first_lane(lanes)):
                                parts = 1
                            warp.pcs[lane] = load_i32(ctx.operands + 4 * (ins.target + choice))
                            warp.frames[lane] = frame
                    traffic_at(ctx.traffic, pc).divergences += parts
                    break
                elif op == _TRAP:
                    _count_executions(ctx, first, pc + 1, mask)
                    return _stop(ctx, warp, w, pc, frame, lanes, _TRAPPED)
                elif op == _SERVICE:
                    _count_executions(ctx, first, pc + 1, mask)
                    return _request_service(ctx, warp, w, pc, frame, mask, lanes, turn_end)
                else:
                    if op == _FENCE:
                        ctx.stamp += 1
                        warp.fenced = ctx.stamp
                        log_sync(ctx, pc, 1 << w)
                        if ctx.diagnose:
                            store_i64(ctx.block_fences + 8 * ctx.block, ctx.stamp)
                    elif op == _ACTIVE_MASK:
                        active_mask(ins, rows, lanes)
                    elif op == _THREAD_ROW:
                        table = ctx.thread_rows + w * ctx.thread_row_bytes
                        execute(_MOVE_32, rows, table, ins.d, ins.a, ins.a, ins.a, 0, lanes)
                    elif op == _CLOCK:
                        for lane in range(32):
                            if (lanes >> lane) & 1:
                                if ins.cell == 8:
                                    store_i64(rows + ins.d + 8 * lane, ctx.steps + pc - first)
                                else:
                                    store_i32(rows + ins.d + 4 * lane, ctx.steps + pc - first)
                    pc += 1
            if pc >= reconvergence_pc:
                _count_executions(ctx, first, pc, mask)
                suspend(warp, mask, pc, frame)
                break
        if ctx.steps >= turn_end:
            warp.rotation = 0 if alone or warp.rotation else pc + 1
            return _DONE
