"""Loads, stores and atomics: form the addresses, check them, count and track the access, and execute it.

In the common case all addresses of a warp are in one window and in order. The lowest and the highest address show this,
and the access runs as one vector operation. Otherwise the lanes run one by one. A lane with an invalid access is
reported and skipped, so no access out of bounds reaches host memory.
"""

from typing import Any

from grader.engines.emulator.core.addresses import (
    ARENA_GRAIN_BITS,
    HEAP_WINDOW,
    LOCAL_ORIGIN,
    LOCAL_WINDOW,
    ORIGIN_BYTES,
    SHARED_ORIGIN,
    SHARED_WINDOW,
    WINDOW_BITS,
    WINDOWS,
)
from grader.engines.emulator.core.atomics import update
from grader.engines.emulator.core.codes import STRONG, EventKind, Space, WindowFlag
from grader.engines.emulator.core.events import note
from grader.engines.emulator.core.exchange import track_exchange, track_loads, track_results
from grader.engines.emulator.core.host import load_i32, load_i64, load_u8
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.lanes import (
    PATTERN_ANY,
    SCRATCH_BITS,
    SCRATCH_HIGHEST,
    SCRATCH_LOWEST,
    SCRATCH_PATTERN,
    form_addresses,
    shift_addresses,
)
from grader.engines.emulator.core.livelock import contents, record_read
from grader.engines.emulator.core.local_init_tracking import track_local
from grader.engines.emulator.core.rows import operand
from grader.engines.emulator.core.shadow import track_reads, track_writes
from grader.engines.emulator.core.traffic import (
    count_atomic_passes,
    count_atomic_words,
    count_sectors,
    count_wavefronts,
    keep_sample,
)
from grader.engines.emulator.core.transfer import move
from grader.engines.emulator.core.views import instruction_at, window_at

_GENERIC, _GLOBAL = int(Space.GENERIC), int(Space.GLOBAL)
_SHARED, _LOCAL = int(Space.SHARED), int(Space.LOCAL)
_OUT_READ, _OUT_WRITE = int(EventKind.OUT_OF_BOUNDS_READ), int(EventKind.OUT_OF_BOUNDS_WRITE)
_NULL_READ, _NULL_WRITE = int(EventKind.NULL_READ), int(EventKind.NULL_WRITE)
_MISALIGNED, _READ_ONLY_WRITE = int(EventKind.MISALIGNED), int(EventKind.READ_ONLY_WRITE)
_INPUT_WRITE = int(EventKind.INPUT_WRITE)
_READ_ONLY, _INPUT = int(WindowFlag.READ_ONLY), int(WindowFlag.INPUT)
_HEAP, _ARENA = int(WindowFlag.HEAP), int(WindowFlag.ARENA)
_HEAP_OUT, _HEAP_FREED = int(EventKind.HEAP_OUT_OF_BOUNDS), int(EventKind.HEAP_FREED)
_STRONG = int(STRONG)
_LOAD, _STORE, _ATOMIC = 0, 1, 2
_NARROW_ADDRESS = 32
_ONE_WINDOW = -1
_LOCAL_WINDOW = LOCAL_WINDOW
_NO_WINDOW = -3


@compiled
def _generic_space(address: int) -> int:
    """The space of a generic address; ``GLOBAL`` for all spaces with windows."""
    if LOCAL_ORIGIN <= address < LOCAL_ORIGIN + ORIGIN_BYTES:
        return _LOCAL
    return _SHARED if SHARED_ORIGIN <= address < SHARED_ORIGIN + ORIGIN_BYTES else _GLOBAL


@compiled
def _find_window(ctx: Any, space: int, lowest: int, highest: int, size: int) -> int:
    """Find the window that holds all bytes from ``lowest`` to ``highest + size``; set ``ctx.delta`` to reach it.

    ``lowest`` and ``highest`` are unsigned: if one address is 0, the highest may be the one just below it.

    Returns: its number, ``SHARED_WINDOW``, ``_LOCAL_WINDOW``, or ``_NO_WINDOW`` if no window holds them.
    """
    if space == _GENERIC:
        space = _generic_space(lowest)
        ctx.delta = -LOCAL_ORIGIN if space == _LOCAL else (-SHARED_ORIGIN if space == _SHARED else 0)
    else:
        ctx.delta = 0
    if space == _SHARED:
        low, last = lowest + ctx.delta, highest + ctx.delta
        high = last + size
        if low < 0 or last < low or high > ctx.shared_bytes or high < last:
            return _NO_WINDOW
        owner = load_u8(ctx.shared_owner + (low >> 2))
        if owner == 0 or load_u8(ctx.shared_owner + ((high - 1) >> 2)) != owner:
            return _NO_WINDOW
        ctx.shadow_origin = -ctx.delta
        ctx.delta += ctx.shared
        return SHARED_WINDOW
    if space == _LOCAL:
        low, last = lowest + ctx.delta, highest + ctx.delta
        high = last + size
        if low < 0 or last < low or high > ctx.local_bytes or high < last:
            return _NO_WINDOW
        ctx.delta += ctx.local
        return _LOCAL_WINDOW
    number = _window_number(ctx, lowest)
    if number == _NO_WINDOW or highest >> WINDOW_BITS != lowest >> WINDOW_BITS:
        return _NO_WINDOW
    window = window_at(ctx.windows, number)
    if lowest < window.origin or highest + size > window.origin + window.size:
        return _NO_WINDOW
    if window.flags & _HEAP:
        owner = _owner(ctx, lowest - window.origin)
        if owner <= 0 or _owner(ctx, highest + size - 1 - window.origin) != owner:
            return _NO_WINDOW
    ctx.delta = window.host - window.origin
    ctx.shadow_origin = window.origin
    return number


@compiled
def _window_number(ctx: Any, address: int) -> int:
    """The number of the window, or of the buffer in an arena, at an address; ``_NO_WINDOW`` beyond all windows."""
    number = address >> WINDOW_BITS
    if number < 0 or number >= WINDOWS:
        return _NO_WINDOW
    window = window_at(ctx.windows, number)
    if window.flags & _ARENA and window.origin <= address < window.origin + window.size:
        return load_i32(window.host + ((address - window.origin) >> ARENA_GRAIN_BITS << 2))
    return number


@compiled
def _owner(ctx: Any, offset: int) -> int:
    """The number of the allocation at an offset in the heap: negative after it is freed, 0 between allocations."""
    return load_i32(ctx.heap_owner + (offset & ~3))


@compiled
def _report(ctx: Any, ins: Any, pc: int, w: int, lane: int, kind: int) -> None:
    """Record the invalid access of one lane."""
    address = load_i64(ctx.scratch + 8 * lane)
    write = kind != _LOAD
    space = int(ins.space)
    window = _ONE_WINDOW
    if address & (ins.width * ins.count - 1):
        what = _MISALIGNED
    elif 0 <= address < 1 << WINDOW_BITS and space not in (_SHARED, _LOCAL):
        what = _NULL_WRITE if write else _NULL_READ
    else:
        what = _OUT_WRITE if write else _OUT_READ
        offset = address - window_at(ctx.windows, HEAP_WINDOW).origin
        if space not in (_SHARED, _LOCAL) and 0 <= offset < window_at(ctx.windows, HEAP_WINDOW).size:
            what = _HEAP_FREED if _owner(ctx, offset) < 0 else _HEAP_OUT
    if space == _GENERIC:
        space = _generic_space(address)
        address -= LOCAL_ORIGIN if space == _LOCAL else (SHARED_ORIGIN if space == _SHARED else 0)
    if space not in (_SHARED, _LOCAL):
        window = _window_number(ctx, address)
    note(ctx, what, pc, -1, space, window, address, w * 32 + lane, -1, -1)


@compiled
def access(ctx: Any, w: int, pc: int, frame: int, mask: int, kind: int) -> None:
    """Execute the memory instruction at ``pc`` for the lanes in ``mask`` of warp ``w``."""
    ins = instruction_at(ctx.code, pc)
    size = int(ins.width) * int(ins.count)
    form_addresses(
        ctx.scratch, operand(ctx, frame, ins.a), ins.imm, ins.address_bits == _NARROW_ADDRESS, size, mask
    )
    lowest, highest = load_i64(ctx.scratch + SCRATCH_LOWEST), load_i64(ctx.scratch + SCRATCH_HIGHEST)
    window = _NO_WINDOW
    if load_i64(ctx.scratch + SCRATCH_BITS) & (size - 1) == 0:
        window = _find_window(ctx, int(ins.space), lowest, highest, size)
    if ins.flags & _STRONG:
        ctx.polls += window not in (SHARED_WINDOW, _LOCAL_WINDOW)
    if window != _NO_WINDOW:
        done = _access_window(ctx, w, pc, frame, mask, kind, window)
    else:
        done = 0
        for lane in range(32):
            bit = mask & (1 << lane)
            if not bit:
                continue
            address = load_i64(ctx.scratch + 8 * lane)
            found = _NO_WINDOW
            if address & (size - 1) == 0:
                found = _find_window(ctx, int(ins.space), address, address, size)
            if found == _NO_WINDOW:
                _report(ctx, ins, pc, w, lane, kind)
            elif _access_window(ctx, w, pc, frame, bit, kind, found):
                done |= bit
                window = found  # the access is counted for the window of its last valid lane
    if ctx.diagnose and done and window != _LOCAL_WINDOW:
        if window == SHARED_WINDOW:
            count_wavefronts(ctx, pc, size, done, kind == _LOAD)
        elif window != _NO_WINDOW and not window_at(ctx.windows, window).flags & _READ_ONLY:
            count_sectors(ctx, pc, size, done, window, kind == _STORE)
            if kind == _LOAD:
                track_loads(ctx, w, pc, size, done)
            else:
                track_results(ctx, w, pc, done)
        if kind == _ATOMIC:
            count_atomic_passes(ctx, pc, done)
            if window != SHARED_WINDOW:
                count_atomic_words(ctx, done)
        else:
            keep_sample(ctx, pc, size, done)


@compiled
def _note_lanes(ctx: Any, w: int, pc: int, lanes: int, window: int, what: int) -> None:
    """Record the same event for each of ``lanes``."""
    space = int(instruction_at(ctx.code, pc).space)
    for lane in range(32):
        if (lanes >> lane) & 1:
            note(ctx, what, pc, -1, space, window, load_i64(ctx.scratch + 8 * lane), w * 32 + lane, -1, -1)


@compiled
def _is_read_only(ctx: Any, window: int) -> bool:
    return window_at(ctx.windows, window).flags & _READ_ONLY != 0


@compiled
def _access_window(ctx: Any, w: int, pc: int, frame: int, lanes: int, kind: int, window: int) -> int:
    """Execute the part of an access that is in one window. Returns: the lanes that executed it."""
    ins = instruction_at(ctx.code, pc)
    if window >= 0 and kind != _LOAD and _is_read_only(ctx, window):
        _note_lanes(ctx, w, pc, lanes, window, _READ_ONLY_WRITE)
        return 0
    if window >= 0 and kind != _LOAD and window_at(ctx.windows, window).flags & _INPUT:
        _note_lanes(ctx, w, pc, lanes, window, _INPUT_WRITE)
    if ctx.diagnose and window == SHARED_WINDOW:
        track_exchange(ctx, w, pc, lanes, kind)
    if ctx.diagnose and window != _LOCAL_WINDOW:
        shadow = ctx.shared_shadow if window == SHARED_WINDOW else window_at(ctx.windows, window).shadow
        if shadow != 0:
            if kind == _LOAD:
                track_reads(ctx, w, pc, lanes, shadow, ctx.shadow_origin, window)
            else:
                track_writes(ctx, w, pc, lanes, shadow, ctx.shadow_origin, window, frame)
    pattern = load_i64(ctx.scratch + SCRATCH_PATTERN) if ins.count == 1 else PATTERN_ANY
    delta = ctx.delta
    if window == _LOCAL_WINDOW:
        # Threads' local memories are contiguous; the addresses in the scratch area become host addresses.
        shift_addresses(ctx.scratch, delta + w * 32 * ctx.local_bytes, ctx.local_bytes)
        delta = 0
        pattern = PATTERN_ANY
        if ctx.diagnose:
            track_local(ctx, w, pc, lanes, kind != _LOAD)
    before = 0
    size = int(ins.width) * int(ins.count)
    if ctx.tracks_changes:
        if kind != _STORE and (window == SHARED_WINDOW or (window >= 0 and not _is_read_only(ctx, window))):
            record_read(ctx, w, pc, lanes, delta, size, int(window == SHARED_WINDOW))
        if kind != _LOAD:
            before = contents(ctx.scratch, lanes, delta, size)
    if kind == _ATOMIC:
        update(ctx, ins, frame, lanes, delta)
    elif ins.count == 1:
        row = operand(ctx, frame, ins.d if kind == _LOAD else ins.b)
        move(ctx, ins, row, delta, pattern, lanes, kind == _LOAD)
    else:
        for element in range(ins.count):
            row = operand(ctx, frame, load_i32(ctx.operands + 4 * (ins.target + element)))
            move(ctx, ins, row, delta + element * ins.width, pattern, lanes, kind == _LOAD)
    if ctx.tracks_changes and kind != _LOAD:
        ctx.version += before != contents(ctx.scratch, lanes, delta, size)
    if window == _LOCAL_WINDOW:
        shift_addresses(ctx.scratch, -(ctx.delta + w * 32 * ctx.local_bytes), -ctx.local_bytes)
    return lanes
