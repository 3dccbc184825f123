"""Compare what a store writes: with what other lanes of the same store write, and with what is in memory."""

from typing import Any

from grader.engines.emulator.core.codes import Flag
from grader.engines.emulator.core.host import load_i8, load_i32, load_i64
from grader.engines.emulator.core.jit import compiled, inlined
from grader.engines.emulator.core.rows import operand
from grader.engines.emulator.core.shadow_words import (
    PC_MASK,
    PC_SHIFT,
    SHADOW_WRITE,
    STAMP_SHIFT,
    THREAD_SHIFT,
)
from grader.engines.emulator.core.views import instruction_at

_UPDATES = int(Flag.UPDATES)


@inlined
def clashes(ctx: Any, w: int, pc: int, lanes: int, word: int, lane: int, frame: int, changes: int) -> bool:
    """Whether the last write to the address was by another lane of this store, and one of the two is lost.

    That is so if the values differ, and for equal ones that the lanes computed from what they read there.
    """
    other = (word >> THREAD_SHIFT) & 31
    if (
        not word & SHADOW_WRITE
        or word >> STAMP_SHIFT != ctx.stamp
        or (word >> PC_SHIFT) & PC_MASK != pc
        or (word >> THREAD_SHIFT) & 1023 != w * 32 + other
        or other == lane
        or not (lanes >> other) & 1
        or load_i64(ctx.scratch + 8 * other) != load_i64(ctx.scratch + 8 * lane)
    ):
        return False
    ins = instruction_at(ctx.code, pc)
    if changes and ins.flags & _UPDATES:
        return True
    for element in range(ins.count):
        row = operand(ctx, frame, _stored_operand(ctx, pc, element))
        if not _same_bytes(row + other * ins.cell, row + lane * ins.cell, int(ins.width)):
            return True
    return False


@compiled
def _stored_operand(ctx: Any, pc: int, element: int) -> int:
    """The operand that holds one element of the value, possibly a vector, that the store at ``pc`` writes."""
    ins = instruction_at(ctx.code, pc)
    return int(ins.b) if ins.count == 1 else load_i32(ctx.operands + 4 * (ins.target + element))


@inlined
def leaves(ctx: Any, pc: int, frame: int, lane: int, host: int) -> bool:
    """Whether the store at ``pc`` by ``lane`` does not change the bytes at ``host``."""
    ins = instruction_at(ctx.code, pc)
    for element in range(ins.count):
        row = operand(ctx, frame, _stored_operand(ctx, pc, element))
        if not _same_bytes(host + element * ins.width, row + lane * ins.cell, int(ins.width)):
            return False
    return True


@compiled
def _same_bytes(one: int, other: int, size: int) -> bool:
    different = 0
    for byte in range(size):
        different |= load_i8(one + byte) ^ load_i8(other + byte)
    return different == 0
