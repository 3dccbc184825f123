"""Races and uninitialised reads: a shadow of every tracked four bytes.

A shadow word is one access: stamp, thread, instruction and bytes touched. The shadow of a memory lies in three planes
of a word for every four bytes. The first holds the last write or, where nobody has written since the launch began
(in shared memory: the block), the first of the unordered readers. Readers beside it, up to two different threads, go to
the other planes, with ``SHADOW_MORE`` in the first to say so. Most words are written by one thread, or read by one, so
the other planes are hardly ever touched, and memory that is not touched is not there: a tracked buffer costs eight
bytes for every four.

Stamps count barriers, ``__syncwarp``s, fences and block starts, so two accesses are ordered when a barrier of the block
lies between them (``ctx.since``), or a synchronisation of their common warp (``warp.since``), or a fence after the
first and an atomic before the second (a lock, or the "last block" pattern).
"""

from typing import Any

from grader.engines.emulator.core.codes import EventKind, Flag, Op, Space, WindowFlag
from grader.engines.emulator.core.events import block_at, note
from grader.engines.emulator.core.host import load_i8, load_i32, load_i64, store_i64
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.ordering import explain
from grader.engines.emulator.core.records import (
    PC_MASK,
    PC_SHIFT,
    SHADOW_INITIALISED,
    SHADOW_MORE,
    SHADOW_WORD_BYTES,
    SHADOW_WRITE,
    STAMP_SHIFT,
    THREAD_SHIFT,
)
from grader.engines.emulator.core.rows import operand
from grader.engines.emulator.core.views import event_at, instruction_at, warp_at, window_at

_RACE = int(EventKind.RACE)
_HAZARD = int(EventKind.WARP_HAZARD)
_SAME_VALUE = int(EventKind.SAME_VALUE)
_UNINITIALISED = int(EventKind.UNINITIALISED)
_STORE = int(Op.STORE)
_ATOMIC = int(Flag.ATOMIC)
_VOLATILE = int(Flag.VOLATILE)
_SHARED = int(Space.SHARED)
_MAY_BE_UNINITIALISED = int(WindowFlag.UNINITIALISED)
_NONE = -1

SHARED_WINDOW = -1
"""What stands for a window number where shared memory is meant."""


@compiled
def _unordered(ctx: Any, word: int, window: int) -> bool:
    """Whether an earlier access may have nothing between it and now: same epoch, or another block of this launch."""
    stamp = word >> STAMP_SHIFT
    if window == SHARED_WINDOW or stamp >= ctx.turn_stamp:
        return stamp >= ctx.since
    return stamp >= ctx.launch_stamp


@compiled
def _between_blocks(ctx: Any, block: int, stamp: int, both_volatile: int) -> int:
    """The same for an access by another block: ``_NONE`` after a fence there and an atomic or volatile access here.

    Two volatile accesses by blocks of which one has fenced are a flag that one sets and the other polls.
    """
    fence = load_i64(ctx.block_fences + 8 * block)
    if both_volatile and (fence or load_i64(ctx.block_fences + 8 * ctx.block)):
        return _NONE
    return _NONE if fence > stamp and ctx.acquired > stamp else _RACE


@compiled
def _conflict(ctx: Any, w: int, flags: int, word: int, thread: int, shared: bool) -> int:
    """Whether an earlier access ``word`` by another thread races with one by ``thread`` now: an event kind or -1."""
    stamp = word >> STAMP_SHIFT
    other_flags = instruction_at(ctx.code, (word >> PC_SHIFT) & PC_MASK).flags
    if (flags & _ATOMIC and other_flags & (_ATOMIC | _VOLATILE)) or (
        other_flags & _ATOMIC and flags & _VOLATILE
    ):
        return _NONE
    if not shared and stamp < ctx.turn_stamp:
        block = block_at(ctx, stamp)
        if block != ctx.block:
            return _between_blocks(ctx, block, stamp, flags & other_flags & _VOLATILE)
    other = (word >> THREAD_SHIFT) & 1023
    if other == thread or stamp < ctx.since:
        return _NONE
    if stamp < warp_at(ctx.states, w).seen[other >> 5]:
        return _NONE
    if other >> 5 == w:
        return _HAZARD if stamp >= warp_at(ctx.states, w).since else _NONE
    released = warp_at(ctx.states, other >> 5).fenced
    return _NONE if released > stamp and warp_at(ctx.states, w).acquired >= released else _RACE


@compiled
def _examine(ctx: Any, w: int, pc: int, word: int, mine: int, address: int, window: int, same: int) -> None:
    """Report the pair of accesses ``word`` (earlier) and ``mine`` (now) where they race.

    ``same``: 1 where both write one value. Lanes of a warp may do that unasked.
    """
    if word & mine & 15 == 0:
        return
    thread = (mine >> THREAD_SHIFT) & 1023
    shared = window == SHARED_WINDOW
    kind = _conflict(ctx, w, int(instruction_at(ctx.code, pc).flags), word, thread, shared)
    if kind == _NONE or (kind == _HAZARD and (same or (word >> PC_SHIFT) & PC_MASK == pc)):
        return
    _report(ctx, _SAME_VALUE if same else kind, pc, word, mine, address, window, 0)


@compiled
def _report(
    ctx: Any, kind: int, pc: int, word: int, mine: int, address: int, window: int, at_once: int
) -> None:
    """Note the pair of accesses ``word`` (earlier) and ``mine`` (now), which may have happened ``at_once``."""
    event = note(
        ctx,
        kind,
        pc,
        (word >> PC_SHIFT) & PC_MASK,
        int(instruction_at(ctx.code, pc).space),
        window,
        address,
        (mine >> THREAD_SHIFT) & 1023,
        (word >> THREAD_SHIFT) & 1023,
        block_at(ctx, word >> STAMP_SHIFT),
    )
    if event >= 0 and event_at(ctx.events, event).count == 1:
        explain(ctx, event, word >> STAMP_SHIFT)
        event_at(ctx.events, event).detail = at_once


@compiled
def _clashes(ctx: Any, w: int, pc: int, lanes: int, word: int, lane: int, frame: int) -> bool:
    """Whether the last write was by a lane of this very store, which put another value to the same address."""
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
    for element in range(ins.count):
        row = operand(ctx, frame, _stored(ctx, pc, element))
        if not _same_bytes(row + other * ins.cell, row + lane * ins.cell, int(ins.width)):
            return True
    return False


@compiled
def _stored(ctx: Any, pc: int, element: int) -> int:
    """The operand that holds an element of what the store at ``pc`` writes, which may be a vector."""
    ins = instruction_at(ctx.code, pc)
    return int(ins.b) if ins.count == 1 else load_i32(ctx.operands + 4 * (ins.target + element))


@compiled
def _leaves(ctx: Any, pc: int, frame: int, lane: int, host: int) -> bool:
    """Whether the store at ``pc`` by ``lane`` leaves the bytes at ``host`` as they are."""
    ins = instruction_at(ctx.code, pc)
    for element in range(ins.count):
        row = operand(ctx, frame, _stored(ctx, pc, element))
        if not _same_bytes(host + element * ins.width, row + lane * ins.cell, int(ins.width)):
            return False
    return True


@compiled
def _same_bytes(one: int, other: int, size: int) -> bool:
    different = 0
    for byte in range(size):
        different |= load_i8(one + byte) ^ load_i8(other + byte)
    return different == 0


@compiled
def _byte_bits(address: int, size: int) -> int:
    """Which of a word's four bytes an access touches."""
    return 15 if size >= 4 else ((1 << size) - 1) << (address & 3)


@compiled
def _plane_bytes(ctx: Any, window: int) -> int:
    """Bytes from a shadow word to the same word of the next plane."""
    size = ctx.shared_bytes if window == SHARED_WINDOW else window_at(ctx.windows, window).size
    return ((size + 3) >> 2) * SHADOW_WORD_BYTES


@compiled
def _oldest(ctx: Any, window: int) -> int:
    """The stamp since which accesses count; what is older says at most that the memory was initialised."""
    return ctx.block_stamp if window == SHARED_WINDOW else ctx.launch_stamp


@compiled
def _same_thread(ctx: Any, word: int, mine: int) -> bool:
    """Whether an earlier access was by the thread that is at it now: block and index agree."""
    return word >> STAMP_SHIFT >= ctx.turn_stamp and (word ^ mine) >> THREAD_SHIFT & 1023 == 0


@compiled
def _read_word(
    ctx: Any, w: int, pc: int, entry: int, plane: int, held: int, mine: int, address: int, window: int
) -> None:
    """Check and remember a read ``mine`` of a word that is not as the same thread left it just now."""
    if held >> STAMP_SHIFT < _oldest(ctx, window):
        known = 0 if window == SHARED_WINDOW else held & (SHADOW_WRITE | SHADOW_INITIALISED)
        store_i64(entry, mine | (SHADOW_INITIALISED if known else 0))
        return
    unordered = _unordered(ctx, held, window)
    if held & SHADOW_WRITE:
        if unordered:
            _examine(ctx, w, pc, held, mine, address, window, 0)
        reader = load_i64(entry + plane)
        if not _unordered(ctx, reader, window) or _same_thread(ctx, reader, mine):
            store_i64(entry + plane, mine)
        else:
            store_i64(entry + 2 * plane, mine)
        store_i64(entry, held | SHADOW_MORE)
    elif not unordered:
        store_i64(entry, mine | (held & (SHADOW_INITIALISED | SHADOW_MORE)))
    elif not _same_thread(ctx, held, mine):
        store_i64(entry + 2 * plane, mine)
        if not held & SHADOW_MORE:
            store_i64(entry, held | SHADOW_MORE)
    else:
        same = held >> STAMP_SHIFT == mine >> STAMP_SHIFT
        kept = SHADOW_INITIALISED | SHADOW_MORE | (15 if same else 0)
        store_i64(entry, mine | (held & kept))


@compiled
def _write_word(
    ctx: Any,
    w: int,
    pc: int,
    entry: int,
    plane: int,
    held: int,
    mine: int,
    address: int,
    window: int,
    changes: int,
) -> None:
    """Check and remember a write ``mine``; ``changes`` is 0 where it leaves the value that is there."""
    more = 0
    if held >> STAMP_SHIFT >= _oldest(ctx, window):
        more = held & SHADOW_MORE
        if more:
            for beside in range(1, 3):
                reader = load_i64(entry + beside * plane)
                if _unordered(ctx, reader, window):
                    _examine(ctx, w, pc, reader, mine, address, window, 0)
        if _unordered(ctx, held, window):
            same = 1 if not changes and held & SHADOW_WRITE else 0
            _examine(ctx, w, pc, held, mine, address, window, same)
            if not held & SHADOW_WRITE and not _same_thread(ctx, held, mine):
                # Another thread's read may still race with writes to come.
                store_i64(entry + plane, held)
                more = SHADOW_MORE
    store_i64(entry, mine | SHADOW_WRITE | more)


@compiled
def track_reads(
    ctx: Any, w: int, pc: int, lanes: int, shadow: int, origin: int, window: int, flags: int
) -> None:
    """Check and remember a load by ``lanes``, whose virtual addresses lie in the scratch area.

    ``shadow`` is the host address of the shadow of virtual address ``origin``.
    """
    ins = instruction_at(ctx.code, pc)
    size = int(ins.width) * int(ins.count)
    plane = _plane_bytes(ctx, window)
    initialised = SHADOW_WRITE | SHADOW_INITIALISED
    wanted = window == SHARED_WINDOW or flags & _MAY_BE_UNINITIALISED
    for lane in range(32):
        if not (lanes >> lane) & 1:
            continue
        address = load_i64(ctx.scratch + 8 * lane)
        thread = w * 32 + lane
        bits = _byte_bits(address, size)
        mine = (ctx.stamp << STAMP_SHIFT) | (thread << THREAD_SHIFT) | (pc << PC_SHIFT) | bits
        entry = shadow + ((address - origin) >> 2) * SHADOW_WORD_BYTES
        for _word in range((size + 3) >> 2):
            held = load_i64(entry)
            if wanted and (
                held & initialised == 0 or (window == SHARED_WINDOW and held >> STAMP_SHIFT < ctx.block_stamp)
            ):
                space = int(instruction_at(ctx.code, pc).space)
                note(ctx, _UNINITIALISED, pc, -1, space, window, address, thread, -1, -1)
            if (held ^ mine) >> THREAD_SHIFT or bits & ~held:
                _read_word(ctx, w, pc, entry, plane, held, mine, address, window)
            entry += SHADOW_WORD_BYTES


@compiled
def track_writes(
    ctx: Any,
    w: int,
    pc: int,
    lanes: int,
    shadow: int,
    origin: int,
    window: int,
    frame: int,
) -> None:
    """Check and remember a store or an atomic by ``lanes``, before it happens.

    A store takes what it writes from ``frame``; writing what is there already races with no other write.
    """
    ins = instruction_at(ctx.code, pc)
    size = int(ins.width) * int(ins.count)
    plane = _plane_bytes(ctx, window)
    stores = ins.op == _STORE
    for lane in range(32):
        if not (lanes >> lane) & 1:
            continue
        address = load_i64(ctx.scratch + 8 * lane)
        thread = w * 32 + lane
        bits = _byte_bits(address, size)
        mine = (ctx.stamp << STAMP_SHIFT) | (thread << THREAD_SHIFT) | (pc << PC_SHIFT) | bits
        entry = shadow + ((address - origin) >> 2) * SHADOW_WORD_BYTES
        changes = not stores or not _leaves(ctx, pc, frame, lane, address + ctx.delta)
        for _word in range((size + 3) >> 2):
            held = load_i64(entry)
            differs = changes
            if stores and _clashes(ctx, w, pc, lanes, held, lane, frame):
                _report(ctx, _RACE, pc, held, mine, address, window, 1)
                differs = False
            _write_word(ctx, w, pc, entry, plane, held, mine, address, window, int(differs))
            entry += SHADOW_WORD_BYTES
