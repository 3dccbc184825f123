"""Copy values between rows of registers and memory, with sign or zero extension of narrow elements."""

from typing import Any

from grader.engines.emulator.core.host import (
    load_i8,
    load_i16,
    load_i32,
    load_i64,
    load_u8,
    load_u16,
    load_u32,
    store_i8,
    store_i16,
    store_i32,
    store_i64,
)
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.lanes import gather_32, gather_64, scatter_32, scatter_64

_HALF, _WORD, _LONG = 2, 4, 8


@compiled
def move(ctx: Any, ins: Any, row: int, delta: int, pattern: int, lanes: int, loads: bool) -> None:
    """Copy one element of each lane to the row if ``loads``, else from it.

    The scratch area holds the addresses; ``delta`` is the host address minus the address.
    """
    scratch = ctx.scratch
    if ins.width == _WORD and ins.cell == _WORD:
        if loads:
            gather_32(row, scratch, delta, pattern, lanes)
        else:
            scatter_32(row, scratch, delta, pattern, lanes)
    elif ins.width == _LONG:
        if loads:
            gather_64(row, scratch, delta, pattern, lanes)
        else:
            scatter_64(row, scratch, delta, pattern, lanes)
    else:
        for lane in range(32):
            if (lanes >> lane) & 1:
                host = load_i64(scratch + 8 * lane) + delta
                if loads:
                    _write_lane(row, int(ins.cell), lane, _read_narrow(host, ins.width, ins.signed))
                else:
                    _write_lane(host, int(ins.width), 0, _read_lane(row, ins.cell, lane))


@compiled
def _read_narrow(host: int, width: int, signed: int) -> int:
    if width == 1:
        return load_i8(host) if signed else load_u8(host)
    if width == _HALF:
        return load_i16(host) if signed else load_u16(host)
    return load_i32(host) if signed else load_u32(host)


@compiled
def _read_lane(row: int, cell: int, lane: int) -> int:
    if cell == _HALF:
        return load_i16(row + 2 * lane)
    return load_i32(row + 4 * lane) if cell == _WORD else load_i64(row + 8 * lane)


@compiled
def _write_lane(row: int, cell: int, lane: int, value: int) -> None:
    if cell == 1:
        store_i8(row + lane, value)
    elif cell == _HALF:
        store_i16(row + 2 * lane, value)
    elif cell == _WORD:
        store_i32(row + 4 * lane, value)
    else:
        store_i64(row + 8 * lane, value)
