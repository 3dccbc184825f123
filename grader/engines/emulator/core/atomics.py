"""Atomics: read-modify-write of memory, one lane after another; lanes ascend unless the schedule sets another order."""

from enum import IntEnum
from typing import Any

from grader.engines.emulator.core.host import (
    half_sum,
    load_f32,
    load_f64,
    load_i32,
    load_i64,
    load_u16,
    load_u32,
    store_f32,
    store_f64,
    store_i16,
    store_i32,
    store_i64,
)
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.rows import operand


class Atomic(IntEnum):
    """How an atomic combines the old value with its operand."""

    ADD = 0
    MIN = 1
    MAX = 2
    AND = 3
    OR = 4
    XOR = 5
    EXCHANGE = 6
    COMPARE_AND_SWAP = 7
    INCREMENT = 8
    DECREMENT = 9
    ADD_FLOAT = 10
    ADD_HALF = 11


_ADD, _MIN, _MAX = int(Atomic.ADD), int(Atomic.MIN), int(Atomic.MAX)
_AND, _OR, _XOR = int(Atomic.AND), int(Atomic.OR), int(Atomic.XOR)
_EXCHANGE, _SWAP = int(Atomic.EXCHANGE), int(Atomic.COMPARE_AND_SWAP)
_INCREMENT, _DECREMENT, _ADD_FLOAT = int(Atomic.INCREMENT), int(Atomic.DECREMENT), int(Atomic.ADD_FLOAT)
_ADD_HALF = int(Atomic.ADD_HALF)
_SIGN_64 = -(1 << 63)


@compiled
def _combined(function: int, old: int, operand: int, other: int, unsigned_64: int) -> int:
    """The new value. Unsigned 64-bit values are compared with their top bit flipped."""
    flip = _SIGN_64 if unsigned_64 else 0
    if function == _ADD:
        return old + operand
    if function == _MIN:
        return old if (old ^ flip) <= (operand ^ flip) else operand
    if function == _MAX:
        return old if (old ^ flip) >= (operand ^ flip) else operand
    if function == _AND:
        return old & operand
    if function == _OR:
        return old | operand
    if function == _XOR:
        return old ^ operand
    if function == _SWAP:
        return other if old == operand else old
    if function == _INCREMENT:
        return 0 if (old ^ flip) >= (operand ^ flip) else old + 1
    if function == _DECREMENT:
        return operand if old == 0 or (old ^ flip) > (operand ^ flip) else old - 1
    return operand


@compiled
def _update_half(ins: Any, host: int, operand: int, other: int) -> int:
    """Add one or two float16, or compare and swap 16 bits. Returns: the old value."""
    old = load_u16(host)
    if ins.function == _SWAP:
        if old == load_u16(operand):
            store_i16(host, load_u16(other))
        return old
    for half in range(int(ins.width) >> 1):
        store_i16(host + 2 * half, half_sum(load_u16(host + 2 * half), load_u16(operand + 2 * half)))
    return old


@compiled
def update(ctx: Any, ins: Any, frame: int, lanes: int, delta: int) -> None:
    """Execute an atomic at the host addresses ``scratch[lane] + delta``; the old values go to ``d``, if any."""
    b = operand(ctx, frame, ins.b)
    c = operand(ctx, frame, ins.c)
    d = frame + ins.d
    for index in range(32):
        lane = (ctx.first_lane + index * ctx.lane_stride) & 31
        if not (lanes >> lane) & 1:
            continue
        host = load_i64(ctx.scratch + 8 * lane) + delta
        if ins.width == 2 or ins.function == _ADD_HALF:
            pair = load_i32(host) if ins.width == 4 else 0
            width = int(ins.width)
            low = _update_half(ins, host, b + width * lane, c + width * lane)
            if ins.d >= 0 and width == 4:
                store_i32(d + 4 * lane, pair)
            elif ins.d >= 0:
                store_i16(d + 2 * lane, low)
        elif ins.width == 4:
            raw = load_i32(host)
            if ins.function == _ADD_FLOAT:
                store_f32(host, load_f32(host) + load_f32(b + 4 * lane))
            elif ins.signed:
                store_i32(
                    host, _combined(int(ins.function), raw, load_i32(b + 4 * lane), load_i32(c + 4 * lane), 0)
                )
            else:
                store_i32(
                    host,
                    _combined(
                        int(ins.function), load_u32(host), load_u32(b + 4 * lane), load_u32(c + 4 * lane), 0
                    ),
                )
            if ins.d >= 0:
                store_i32(d + 4 * lane, raw)
        else:
            long = load_i64(host)
            if ins.function == _ADD_FLOAT:
                store_f64(host, load_f64(host) + load_f64(b + 8 * lane))
            else:
                store_i64(
                    host,
                    _combined(
                        int(ins.function),
                        long,
                        load_i64(b + 8 * lane),
                        load_i64(c + 8 * lane),
                        1 - int(ins.signed),
                    ),
                )
            if ins.d >= 0:
                store_i64(d + 8 * lane, long)
