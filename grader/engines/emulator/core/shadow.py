"""Races and uninitialised reads: a shadow of every tracked four bytes.

The shadow holds the last write and two different readers, each as stamp, thread, instruction and bytes touched. Stamps
count barriers, ``__syncwarp``s, fences and block starts, so two accesses are ordered when a barrier of the block lies
between them (``ctx.since``), or a synchronisation of their common warp (``warp.since``), or a fence after the first
and an atomic before the second (a lock, or the "last block" pattern).
"""

from typing import Any

from grader.engines.emulator.core.events import block_at, note
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.lanes import load_i8, load_i64, store_i64
from grader.engines.emulator.core.records import (
    MAX_PC,
    PC_SHIFT,
    SHADOW_BYTES,
    STAMP_SHIFT,
    THREAD_SHIFT,
    EventKind,
    Flag,
    Space,
    WindowFlag,
)
from grader.engines.emulator.core.views import instruction_at, warp_at

_RACE = int(EventKind.RACE)
_HAZARD = int(EventKind.WARP_HAZARD)
_UNINITIALISED = int(EventKind.UNINITIALISED)
_ATOMIC = int(Flag.ATOMIC)
_VOLATILE = int(Flag.VOLATILE)
_SHARED = int(Space.SHARED)
_MAY_BE_UNINITIALISED = int(WindowFlag.UNINITIALISED)
_NONE = -1
_PC_MASK = MAX_PC

SHARED_WINDOW = -1
"""What stands for a window number where shared memory is meant."""


@compiled
def _unordered(ctx: Any, word: int, window: int) -> bool:
    """Whether an earlier access may have nothing between it and now: same epoch, or another block of this launch."""
    stamp = word >> STAMP_SHIFT
    if stamp >= ctx.since:
        return True
    return window != SHARED_WINDOW and ctx.launch_stamp <= stamp < ctx.block_stamp


@compiled
def _conflict(ctx: Any, w: int, flags: int, word: int, thread: int, shared: bool) -> int:  # noqa: FBT001 - compiled, by position
    """Whether an earlier access ``word`` by another thread races with one by ``thread`` now: an event kind or -1."""
    stamp = word >> STAMP_SHIFT
    other_flags = instruction_at(ctx.code, (word >> PC_SHIFT) & _PC_MASK).flags
    if (flags & _ATOMIC and other_flags & (_ATOMIC | _VOLATILE)) or (
        other_flags & _ATOMIC and flags & _VOLATILE
    ):
        return _NONE
    if stamp < ctx.block_stamp:
        if shared or stamp < ctx.launch_stamp:
            return _NONE
        fenced = load_i64(ctx.block_fences + 8 * block_at(ctx, stamp)) > stamp
        return _NONE if fenced and ctx.acquired >= ctx.block_stamp else _RACE
    other = (word >> THREAD_SHIFT) & 1023
    if other == thread or stamp < ctx.since:
        return _NONE
    if other >> 5 == w:
        return _HAZARD if stamp >= warp_at(ctx.states, w).since else _NONE
    released = warp_at(ctx.states, other >> 5).fenced
    return _NONE if released > stamp and warp_at(ctx.states, w).acquired >= released else _RACE


@compiled
def _examine(ctx: Any, w: int, pc: int, word: int, mine: int, address: int, window: int) -> None:
    """Report the pair of accesses ``word`` (earlier) and ``mine`` (now) where they race."""
    if word & mine & 15 == 0:
        return
    thread = (mine >> THREAD_SHIFT) & 1023
    shared = window == SHARED_WINDOW
    kind = _conflict(ctx, w, int(instruction_at(ctx.code, pc).flags), word, thread, shared)
    if kind == _NONE or (kind == _HAZARD and (word >> PC_SHIFT) & _PC_MASK == pc):
        return
    _report(ctx, kind, pc, word, mine, address, window)


@compiled
def _report(ctx: Any, kind: int, pc: int, word: int, mine: int, address: int, window: int) -> None:
    """Note the pair of accesses ``word`` (earlier) and ``mine`` (now)."""
    note(
        ctx,
        kind,
        pc,
        (word >> PC_SHIFT) & _PC_MASK,
        int(instruction_at(ctx.code, pc).space),
        window,
        address,
        (mine >> THREAD_SHIFT) & 1023,
        (word >> THREAD_SHIFT) & 1023,
        block_at(ctx, word >> STAMP_SHIFT),
    )


@compiled
def _clashes(ctx: Any, w: int, pc: int, lanes: int, word: int, lane: int, row: int) -> bool:
    """Whether the last write was by a lane of this very store, which put another value to the same address."""
    other = (word >> THREAD_SHIFT) & 31
    if (
        word >> STAMP_SHIFT != ctx.stamp
        or (word >> PC_SHIFT) & _PC_MASK != pc
        or (word >> THREAD_SHIFT) & 1023 != w * 32 + other
        or other == lane
        or not (lanes >> other) & 1
        or load_i64(ctx.scratch + 8 * other) != load_i64(ctx.scratch + 8 * lane)
    ):
        return False
    cell = int(instruction_at(ctx.code, pc).cell)
    return not _same_bytes(row + other * cell, row, cell, lane, cell)


@compiled
def _same_bytes(host: int, row: int, cell: int, lane: int, size: int) -> bool:
    different = 0
    for byte in range(size):
        different |= load_i8(host + byte) ^ load_i8(row + lane * cell + byte)
    return different == 0


@compiled
def _byte_bits(address: int, size: int) -> int:
    """Which of a word's four bytes an access touches."""
    return 15 if size >= 4 else ((1 << size) - 1) << (address & 3)  # noqa: PLR2004 - bytes of a word


@compiled
def track_reads(
    ctx: Any, w: int, pc: int, lanes: int, shadow: int, origin: int, window: int, flags: int
) -> None:
    """Check and remember a load by ``lanes``, whose virtual addresses lie in the scratch area.

    ``shadow`` is the host address of the shadow of virtual address ``origin``.
    """
    ins = instruction_at(ctx.code, pc)
    size = int(ins.width) * int(ins.count)
    oldest = ctx.block_stamp if window == SHARED_WINDOW else 1
    for lane in range(32):
        if not (lanes >> lane) & 1:
            continue
        address = load_i64(ctx.scratch + 8 * lane)
        thread = w * 32 + lane
        mine = (
            (ctx.stamp << STAMP_SHIFT)
            | (thread << THREAD_SHIFT)
            | (pc << PC_SHIFT)
            | _byte_bits(address, size)
        )
        entry = shadow + ((address - origin) >> 2) * SHADOW_BYTES
        for _word in range((size + 3) >> 2):
            written = load_i64(entry)
            if written >> STAMP_SHIFT < oldest:
                if window == SHARED_WINDOW or flags & _MAY_BE_UNINITIALISED:
                    note(
                        ctx,
                        _UNINITIALISED,
                        pc,
                        -1,
                        int(instruction_at(ctx.code, pc).space),
                        window,
                        address,
                        thread,
                        -1,
                        -1,
                    )
            elif _unordered(ctx, written, window):
                _examine(ctx, w, pc, written, mine, address, window)
            reader = load_i64(entry + 8)
            if not _unordered(ctx, reader, window):
                store_i64(entry + 8, mine)
            elif (reader >> THREAD_SHIFT) & 1023 != thread or reader >> STAMP_SHIFT < ctx.block_stamp:
                store_i64(entry + 16, mine)
            entry += SHADOW_BYTES


@compiled
def track_writes(
    ctx: Any,
    w: int,
    pc: int,
    lanes: int,
    shadow: int,
    origin: int,
    window: int,
    row: int,
) -> None:
    """Check and remember a store or an atomic by ``lanes``, before it happens.

    ``row`` is the host address of the data row; writing what is there already races with no other write. It is 0
    where the value is not known (vectors, atomics).
    """
    ins = instruction_at(ctx.code, pc)
    size = int(ins.width) * int(ins.count)
    for lane in range(32):
        if not (lanes >> lane) & 1:
            continue
        address = load_i64(ctx.scratch + 8 * lane)
        thread = w * 32 + lane
        mine = (
            (ctx.stamp << STAMP_SHIFT)
            | (thread << THREAD_SHIFT)
            | (pc << PC_SHIFT)
            | _byte_bits(address, size)
        )
        entry = shadow + ((address - origin) >> 2) * SHADOW_BYTES
        for _word in range((size + 3) >> 2):
            written = load_i64(entry)
            if row != 0 and _clashes(ctx, w, pc, lanes, written, lane, row):
                _report(ctx, _RACE, pc, written, mine, address, window)
            elif _unordered(ctx, written, window) and (
                row == 0 or not _same_bytes(address + ctx.delta, row, int(ins.cell), lane, size)
            ):
                _examine(ctx, w, pc, written, mine, address, window)
            for reader in range(2):
                read = load_i64(entry + 8 + 8 * reader)
                if _unordered(ctx, read, window):
                    _examine(ctx, w, pc, read, mine, address, window)
            store_i64(entry, mine)
            entry += SHADOW_BYTES
