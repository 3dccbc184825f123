"""Run a warp: its lanes execute instruction by instruction in lockstep, diverge and reconverge."""

from typing import Any

from grader.engines.emulator.core.barriers import arrive, arrive_at_grid, release_any
from grader.engines.emulator.core.calls import call, call_indirect, return_lanes
from grader.engines.emulator.core.codes import EventKind, Flag, Op, Scope, Status
from grader.engines.emulator.core.collectives import active_mask, match, shuffle, vote
from grader.engines.emulator.core.events import note
from grader.engines.emulator.core.host import first_lane, load_i32, load_u32, popcount, store_i32, store_i64
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.lane_masks import absent_lanes, note_outsiders
from grader.engines.emulator.core.memory import access
from grader.engines.emulator.core.ordering import log_sync, order_lanes
from grader.engines.emulator.core.releases import fence
from grader.engines.emulator.core.rows import operand, uniform
from grader.engines.emulator.core.selection import select, suspend
from grader.engines.emulator.core.undefined_values import carry, carry_access, define, record_use
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
_BLOCK_SCOPE = int(Flag.BLOCK_SCOPE)
_BLOCK, _DEVICE = int(Scope.BLOCK), int(Scope.DEVICE)
_MOVE_32 = NUMBER["mov.i32"]
_GRID_BARRIER = int(Op.GRID_BARRIER)


@compiled
def _count_executions(ctx: Any, first: int, end: int, mask: int) -> int:
    """Count one execution of the instructions from ``first`` up to, but not including, ``end``. Returns: ``end``."""
    lanes = popcount(mask)
    begin, behind = hits_at(ctx.hits, first), hits_at(ctx.hits, end)
    begin.warps += 1
    begin.lanes += lanes
    behind.warps -= 1
    behind.lanes -= lanes
    ctx.steps += end - first
    return end


@compiled
def _guarded(ins: Any, rows: int, mask: int) -> int:
    """The lanes in ``mask`` for which the guard predicate of ``ins`` holds."""
    bits = load_u32(rows + ins.guard)
    return mask & ~bits if ins.guard_not else mask & bits


@compiled
def _stop(ctx: Any, warp: Any, w: int, pc: int, frame: int, mask: int, status: int) -> int:
    """End the run at ``pc`` and record the thread that ran last. Returns: ``status``."""
    suspend(warp, mask, pc, frame)
    ctx.stopped_pc = pc
    ctx.stopped_thread = w * 32 + first_lane(mask)
    return status


@compiled
def _request_service(
    ctx: Any, warp: Any, w: int, pc: int, frame: int, mask: int, lanes: int, turn_end: int
) -> int:
    """Request that Python executes the operation at ``pc``. The warp then continues behind it, in the same turn."""
    _stop(ctx, warp, w, pc, frame, lanes, _SERVED)
    suspend(warp, mask, pc + 1, frame)
    ctx.service_lanes = lanes
    ctx.service_rows = ctx.frames + w * ctx.frame_bytes + frame
    ctx.turn_end = turn_end
    return _SERVED


@compiled
def _diverge(ctx: Any, warp: Any, ins: Any, pc: int, frame: int, mask: int, taken: int) -> None:
    """Branch with the lanes ``taken``; the rest of ``mask`` falls through."""
    traffic_at(ctx.traffic, pc).divergences += 1
    for lane in range(32):
        if (mask >> lane) & 1:
            warp.diverged_at[lane] = pc
    suspend(warp, taken, ins.target, frame)
    suspend(warp, mask & ~taken, pc + 1, frame)


@compiled
def _exchange(ctx: Any, warp: Any, w: int, ins: Any, pc: int, rows: int, lanes: int) -> bool:
    """Execute a shuffle, vote, match or warp barrier. Returns: False if the lanes must wait for absent lanes first."""
    absent = absent_lanes(ctx, warp, ins, rows, lanes)
    if absent and not warp.ignores_absent:
        return False
    if warp.ignores_absent:
        warp.ignores_absent = 0
        if absent:
            thread, other = w * 32 + first_lane(lanes), w * 32 + first_lane(absent)
            event = note(ctx, _MISSING_LANES, pc, -1, 0, 0, absent, thread, other, ctx.block)
            if event >= 0:
                event_at(ctx.events, event).detail = uniform(ctx, rows, ins.target, lanes)
    if ctx.diagnose:
        note_outsiders(ctx, w, ins, pc, rows, lanes)
    if ins.op == _SHUFFLE:
        shuffle(ctx, w, ins, pc, rows, lanes)
    elif ins.op in (_VOTE, _MATCH):
        if warp.tainted:
            record_use(ctx, w, pc, rows, int(ins.a), lanes)
        if ins.op == _VOTE:
            vote(ctx, ins, rows, lanes)
        else:
            match(ctx, ins, rows, lanes)
        define(ctx, w, rows, int(ins.d), lanes)
    else:
        order_lanes(ctx, warp, operand(ctx, rows, ins.target), lanes)
        log_sync(ctx, pc, 1 << w)
    return True


@compiled
def _execute_special(
    ctx: Any, warp: Any, w: int, ins: Any, pc: int, rows: int, lanes: int, steps: int
) -> None:
    """Execute a fence or read a special register; ``steps`` have run since the launch began."""
    define(ctx, w, rows, int(ins.d) if ins.op != _FENCE else -1, lanes)
    if ins.op == _FENCE:
        fence(ctx, w, _BLOCK if ins.flags & _BLOCK_SCOPE else _DEVICE)
        log_sync(ctx, pc, 1 << w)
    elif ins.op == _ACTIVE_MASK:
        active_mask(ins, rows, lanes)
    elif ins.op == _THREAD_ROW:
        table = ctx.thread_rows + w * ctx.thread_row_bytes
        execute(_MOVE_32, rows, table, ins.d, ins.a, ins.a, ins.a, 0, lanes)
    else:
        time = (steps + (ctx.timer_start if ins.count else ctx.clock_start)) >> ins.imm
        for lane in range(32):
            if (lanes >> lane) & 1:
                if ins.cell == 8:
                    store_i64(rows + ins.d + 8 * lane, time)
                else:
                    store_i32(rows + ins.d + 4 * lane, time)


@compiled
def _exit_lanes(ctx: Any, warp: Any, w: int, lanes: int) -> None:
    """End the threads of ``lanes`` and record the first thread of the block that ended."""
    warp.live &= ~lanes
    ctx.live -= popcount(lanes)
    if ctx.exited == 0:
        ctx.first_exited = w * 32 + first_lane(lanes)
        ctx.first_exit_pc = warp.diverged_at[first_lane(lanes)] if warp.live != 0 else -1
    ctx.exited += popcount(lanes)


@compiled
def _branch_indexed(ctx: Any, warp: Any, ins: Any, pc: int, frame: int, rows: int, lanes: int) -> int:
    """Jump with each lane to the target that its index selects. Returns: ``DONE``, or ``BAD_JUMP``."""
    index = operand(ctx, rows, ins.a)
    diverges = 0
    for lane in range(32):
        if (lanes >> lane) & 1:
            choice = load_u32(index + 4 * lane)
            if choice >= ins.count:
                return _BAD_JUMP
            if choice != load_u32(index + 4 * first_lane(lanes)):
                diverges = 1
            warp.pcs[lane] = load_i32(ctx.operands + 4 * (ins.target + choice))
            warp.frames[lane] = frame
    traffic_at(ctx.traffic, pc).divergences += diverges
    return _DONE


@compiled
def _leave(
    ctx: Any, warp: Any, w: int, ins: Any, pc: int, frame: int, mask: int, lanes: int, turn_end: int
) -> int:
    """Execute an instruction that ends a straight run: barrier, call, return, exit, indexed branch, trap or service.

    Lanes in ``mask`` but not in ``lanes`` continue behind it. Returns: ``DONE`` if the warp continues, or the
    ``Status`` that ends its turn.
    """
    base = ctx.frames + w * ctx.frame_bytes
    rows = base + frame
    op = ins.op
    if op == _TRAP:
        return _stop(ctx, warp, w, pc, frame, lanes, _TRAPPED)
    if op == _SERVICE:
        return _request_service(ctx, warp, w, pc, frame, mask, lanes, turn_end)
    if op in (_BARRIER, _BARRIER_ARRIVE):
        suspend(warp, mask, pc + 1, frame)
        arrive(ctx, w, pc, rows, lanes)
        ctx.stopped_pc = pc
        return _DONE
    if op == _GRID_BARRIER:
        suspend(warp, mask, pc + 1, frame)
        arrive_at_grid(ctx, w, lanes)
        return _DONE
    if op == _EXIT:
        _exit_lanes(ctx, warp, w, lanes)
        suspend(warp, mask & ~lanes, pc + 1, frame)
        release_any(ctx)
        return _DONE
    suspend(warp, mask & ~lanes, pc + 1, frame)
    status = _DONE
    if op == _CALL:
        status = call(ctx, ins, warp, base, pc, frame, lanes)
    elif op == _CALL_INDIRECT:
        status = call_indirect(ctx, ins, warp, base, pc, frame, lanes)
    elif op == _RETURN:
        return_lanes(warp, base, frame, lanes)
    else:
        if warp.tainted:
            record_use(ctx, w, pc, rows, int(ins.a), lanes)
        status = _branch_indexed(ctx, warp, ins, pc, frame, rows, lanes)
    return _stop(ctx, warp, w, pc, frame, mask, status) if status != _DONE else _DONE


@compiled
def run_warp(ctx: Any, w: int) -> int:
    """Run warp ``w`` until it waits, ends or has used up its turn. Returns: a ``Status``."""
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
        tainted = warp.tainted
        while True:
            ins = instruction_at(ctx.code, pc)
            op = ins.op
            lanes = mask
            if ins.guard >= 0:
                lanes = _guarded(ins, rows, mask)
                if tainted:
                    record_use(ctx, w, pc, rows, int(ins.guard), mask)
            if op < _BRANCH:
                execute(op, rows, constants, ins.d, ins.a, ins.b, ins.c, ins.imm, lanes)
                if tainted:
                    carry(ctx, w, ins, pc, rows, lanes)
                pc += 1
            elif op <= _ATOMIC and op >= _LOAD:
                if lanes:
                    access(ctx, w, pc, rows, lanes, op - _LOAD)
                    tainted = warp.tainted
                    if tainted:
                        carry_access(ctx, w, ins, pc, rows, lanes)
                pc += 1
            elif lanes == 0:
                pc += 1
            elif op == _BRANCH:
                first = _count_executions(ctx, first, pc + 1, mask)
                if lanes != mask:
                    _diverge(ctx, warp, ins, pc, frame, mask, lanes)
                    break
                pc = ins.target
                first = pc
                if ctx.steps >= turn_end or not alone:
                    _stop(ctx, warp, w, pc, frame, mask, _DONE)
                    break
            elif _WARP_BARRIER <= op <= _MATCH:
                if not _exchange(ctx, warp, w, ins, pc, rows, lanes):
                    _count_executions(ctx, first, pc, mask)
                    suspend(warp, mask, pc, frame)
                    warp.at_warp_sync |= mask
                    break
                tainted = warp.tainted
                pc += 1
            elif op == _FENCE or _ACTIVE_MASK <= op <= _CLOCK:
                _execute_special(ctx, warp, w, ins, pc, rows, lanes, ctx.steps + pc - first)
                pc += 1
            else:
                _count_executions(ctx, first, pc + 1, mask)
                status = _leave(ctx, warp, w, ins, pc, frame, mask, lanes, turn_end)
                if status != _DONE:
                    return status
                break
            if pc >= reconvergence_pc:
                _count_executions(ctx, first, pc, mask)
                suspend(warp, mask, pc, frame)
                break
        if ctx.steps >= turn_end:
            warp.rotation = 0 if alone or warp.rotation else pc + 1
            return _DONE
