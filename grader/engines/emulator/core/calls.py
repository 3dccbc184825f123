"""Calls and returns of the lanes of a warp, with one frame per lane."""

from typing import Any

from grader.engines.emulator.core.addresses import FUNCTION_ORIGIN, FUNCTION_STEP
from grader.engines.emulator.core.codes import Status
from grader.engines.emulator.core.frames import ROW_CALLER, ROW_LOCAL, ROW_RETURN
from grader.engines.emulator.core.host import load_i32, load_i64, store_i32, store_i64
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.rows import operand
from grader.engines.emulator.core.selection import suspend

_DONE, _OVERFLOW, _BAD_JUMP = int(Status.DONE), int(Status.STACK_OVERFLOW), int(Status.BAD_JUMP)


@compiled
def _push(
    ctx: Any, ins: Any, base: int, pc: int, frame: int, lane: int, needs_frame: int, needs_local: int
) -> bool:
    """Push a frame for one lane, behind the caller's frame. Returns: whether there was room.

    ``ins.imm`` is the size of the caller's frame, ``ins.c`` that of its local memory.
    """
    inner = frame + ins.imm
    local = load_i64(base + frame + ROW_LOCAL + 8 * lane) + ins.c
    if inner + needs_frame > ctx.frame_bytes or local + needs_local > ctx.local_bytes:
        return False
    store_i32(base + inner + ROW_RETURN + 4 * lane, pc + 1)
    store_i32(base + inner + ROW_CALLER + 4 * lane, frame)
    store_i64(base + inner + ROW_LOCAL + 8 * lane, local)
    return True


@compiled
def call(ctx: Any, ins: Any, warp: Any, base: int, pc: int, frame: int, mask: int) -> int:
    """Call the function at ``target``. Returns: ``DONE`` or ``STACK_OVERFLOW``.

    It needs ``d`` bytes of frame and ``b`` bytes of local memory.
    """
    for lane in range(32):
        if (mask >> lane) & 1 and not _push(ctx, ins, base, pc, frame, lane, int(ins.d), int(ins.b)):
            return _OVERFLOW
    suspend(warp, mask, ins.target, frame + ins.imm)
    return _DONE


@compiled
def call_indirect(ctx: Any, ins: Any, warp: Any, base: int, pc: int, frame: int, mask: int) -> int:
    """Call the function at the address that each lane has in ``a``.

    The operand list has three entries for each of ``count`` functions from ``target`` on: where its code starts (-1
    for a function of another type) and the bytes of frame and of local memory that it needs. Returns: ``DONE``,
    ``STACK_OVERFLOW``, or ``BAD_JUMP`` for an address that is not one of these functions.
    """
    addresses = operand(ctx, base + frame, ins.a)
    for lane in range(32):
        if not (mask >> lane) & 1:
            continue
        distance = load_i64(addresses + 8 * lane) - FUNCTION_ORIGIN
        index = distance // FUNCTION_STEP
        if distance < 0 or distance % FUNCTION_STEP != 0 or index >= ins.count:
            return _BAD_JUMP
        entry = ctx.operands + 4 * (ins.target + 3 * index)
        start = load_i32(entry)
        if start < 0:
            return _BAD_JUMP
        if not _push(ctx, ins, base, pc, frame, lane, load_i32(entry + 4), load_i32(entry + 8)):
            return _OVERFLOW
        warp.pcs[lane] = start
        warp.frames[lane] = frame + ins.imm
    return _DONE


@compiled
def return_lanes(warp: Any, base: int, frame: int, mask: int) -> None:
    """Return each lane to its caller."""
    for lane in range(32):
        if (mask >> lane) & 1:
            warp.pcs[lane] = load_i32(base + frame + ROW_RETURN + 4 * lane)
            warp.frames[lane] = load_i32(base + frame + ROW_CALLER + 4 * lane)
