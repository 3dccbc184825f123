"""Warp-level operations: shuffles, votes and matches. Semantics: PTX ISA, ``shfl.sync`` and following."""

from enum import IntEnum
from typing import Any

from grader.engines.emulator.core.host import load_i32, load_i64, load_u32, store_i32
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.lanes import SCRATCH_BYTES
from grader.engines.emulator.core.rows import operand
from grader.engines.emulator.core.undefined_values import record_shuffle, taint_of


class Shuffle(IntEnum):
    """How a shuffle selects the source lane."""

    UP = 0
    DOWN = 1
    XOR = 2
    INDEX = 3


class Vote(IntEnum):
    """Result of a vote."""

    ALL = 0
    ANY = 1
    UNIFORM = 2
    BALLOT = 3


class Match(IntEnum):
    """Result of a match."""

    ANY = 0
    ALL = 1


_UP, _DOWN, _XOR = int(Shuffle.UP), int(Shuffle.DOWN), int(Shuffle.XOR)
_ALL, _ANY, _UNIFORM, _BALLOT = int(Vote.ALL), int(Vote.ANY), int(Vote.UNIFORM), int(Vote.BALLOT)
_MATCH_ANY = int(Match.ANY)


@compiled
def set_predicate(frame: int, offset: int, lanes: int, mask: int) -> None:
    """Write a predicate's bits for the lanes in ``mask``."""
    if offset >= 0:
        old = load_u32(frame + offset)
        store_i32(frame + offset, (lanes & mask) | (old & ~mask))


@compiled
def shuffle(ctx: Any, w: int, ins: Any, pc: int, frame: int, mask: int) -> None:
    """Write another lane's ``a`` to ``d|p``; ``b`` is that lane's offset or index within the segment ``c``.

    ``imm`` is p's offset, or -1. If the source lane is out of range, the lane gets its unchanged ``a``; if it does
    not take part, its value is undefined, here the same.
    """
    a = operand(ctx, frame, ins.a)
    b = operand(ctx, frame, ins.b)
    c = operand(ctx, frame, ins.c)
    copy = ctx.scratch + SCRATCH_BYTES - 128
    for lane in range(32):
        store_i32(copy + 4 * lane, load_i32(a + 4 * lane))
    inside = 0
    undefined, carried = 0, 0
    reader, absent = -1, -1
    taint = taint_of(ctx, frame, int(ins.a))
    for lane in range(32):
        if not (mask >> lane) & 1:
            continue
        amount = load_i32(b + 4 * lane) & 31
        clamp = load_i32(c + 4 * lane)
        segment = (clamp >> 8) & 31
        last = (lane & segment) | (clamp & 31 & ~segment)
        if ins.function == _UP:
            source = lane - amount
            reached = source >= last
        elif ins.function == _DOWN:
            source = lane + amount
            reached = source <= last
        elif ins.function == _XOR:
            source = lane ^ amount
            reached = source <= last
        else:
            source = (lane & segment) | (amount & ~segment)
            reached = source <= last
        if reached:
            inside |= mask & (1 << lane)
        if reached and not (mask >> source) & 1:
            undefined |= 1 << lane
            if reader < 0:
                reader, absent = lane, source
        if not reached or not (mask >> source) & 1:
            source = lane
        carried |= ((taint >> source) & 1) << lane
        store_i32(frame + ins.d + 4 * lane, load_i32(copy + 4 * source))
    set_predicate(frame, ins.imm, inside, mask)
    record_shuffle(ctx, w, ins, pc, frame, mask, undefined, carried, reader, absent)


@compiled
def vote(ctx: Any, ins: Any, frame: int, mask: int) -> None:
    """Vote with predicate ``a``. For each lane, the active lanes in its ``target`` mask take part."""
    raised = load_u32(operand(ctx, frame, ins.a)) & mask
    members = operand(ctx, frame, ins.target)
    answers = 0
    for lane in range(32):
        if not (mask >> lane) & 1:
            continue
        group = (load_u32(members + 4 * lane) & mask) | (1 << lane)
        yes = raised & group
        if ins.function == _BALLOT:
            store_i32(frame + ins.d + 4 * lane, yes)
            continue
        if ins.function == _ALL:
            holds = yes == group
        elif ins.function == _ANY:
            holds = yes != 0
        else:
            holds = yes in (group, 0)
        if holds:
            answers |= 1 << lane
    if ins.function != _BALLOT:
        set_predicate(frame, ins.d, answers, mask)


@compiled
def match(ctx: Any, ins: Any, frame: int, mask: int) -> None:
    """For each lane, set ``d`` to the active lanes in its ``target`` mask that have the same ``a``.

    For ``.all``, ``d`` has all active lanes of the mask or none; the predicate at ``imm`` is true if it has all.
    """
    a = operand(ctx, frame, ins.a)
    members = operand(ctx, frame, ins.target)
    copy = ctx.scratch + SCRATCH_BYTES - 128
    whole = 0
    for lane in range(32):
        if not (mask >> lane) & 1:
            continue
        group = (load_u32(members + 4 * lane) & mask) | (1 << lane)
        same = 0
        for other in range(32):
            if (group >> other) & 1:
                if ins.width == 4:
                    equal = load_i32(a + 4 * lane) == load_i32(a + 4 * other)
                else:
                    equal = load_i64(a + 8 * lane) == load_i64(a + 8 * other)
                if equal:
                    same |= 1 << other
        if same == group:
            whole |= 1 << lane
        store_i32(copy + 4 * lane, same if ins.function == _MATCH_ANY or same == group else 0)
    for lane in range(32):
        if (mask >> lane) & 1:
            store_i32(frame + ins.d + 4 * lane, load_u32(copy + 4 * lane))
    if ins.function != _MATCH_ANY:
        set_predicate(frame, ins.imm, whole, mask)


@compiled
def active_mask(ins: Any, frame: int, mask: int) -> None:
    """Set ``d`` to the lanes that run now."""
    for lane in range(32):
        if (mask >> lane) & 1:
            store_i32(frame + ins.d + 4 * lane, mask)
