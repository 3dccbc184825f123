"""Track accesses in shadow memory to detect races and uninitialised reads.

A shadow word is one access: stamp, thread, instruction and bytes touched. The shadow has three planes with
one word for every four bytes. The first plane holds the last write or, if there was no write since the launch began
(for shared memory: since the block began), the first of the unordered readers. The other planes hold up to two more
readers from different threads; ``SHADOW_MORE`` in the first plane marks them. Most words have one writer or one
reader, so the other planes are rarely used, and unused pages take no physical memory: a tracked buffer costs eight
bytes for every four.
"""

from typing import Any

from grader.engines.emulator.core.addresses import SHARED_WINDOW
from grader.engines.emulator.core.codes import EventKind, Op, WindowFlag
from grader.engines.emulator.core.conflicts import check_pair, report, unordered
from grader.engines.emulator.core.events import note
from grader.engines.emulator.core.host import load_i8, load_i32, load_i64, store_i64
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.rows import operand
from grader.engines.emulator.core.shadow_words import (
    PC_MASK,
    PC_SHIFT,
    SHADOW_INITIALISED,
    SHADOW_MORE,
    SHADOW_WORD_BYTES,
    SHADOW_WRITE,
    STAMP_SHIFT,
    THREAD_SHIFT,
)
from grader.engines.emulator.core.views import instruction_at, window_at

_RACE = int(EventKind.RACE)
_UNINITIALISED = int(EventKind.UNINITIALISED)
_STORE = int(Op.STORE)
_MAY_BE_UNINITIALISED = int(WindowFlag.UNINITIALISED)


@compiled
def _clashes(ctx: Any, w: int, pc: int, lanes: int, word: int, lane: int, frame: int) -> bool:
    """Whether the last write to the address was by another lane of this store, with a different value."""
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
        row = operand(ctx, frame, _stored_operand(ctx, pc, element))
        if not _same_bytes(row + other * ins.cell, row + lane * ins.cell, int(ins.width)):
            return True
    return False


@compiled
def _stored_operand(ctx: Any, pc: int, element: int) -> int:
    """The operand that holds one element of the value, possibly a vector, that the store at ``pc`` writes."""
    ins = instruction_at(ctx.code, pc)
    return int(ins.b) if ins.count == 1 else load_i32(ctx.operands + 4 * (ins.target + element))


@compiled
def _leaves(ctx: Any, pc: int, frame: int, lane: int, host: int) -> bool:
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


@compiled
def _byte_bits(address: int, size: int) -> int:
    """A mask of the bytes of a four-byte word that an access touches."""
    return 15 if size >= 4 else ((1 << size) - 1) << (address & 3)


@compiled
def _plane_bytes(ctx: Any, window: int) -> int:
    """Bytes from a shadow word to the same word of the next plane."""
    size = ctx.shared_bytes if window == SHARED_WINDOW else window_at(ctx.windows, window).size
    return ((size + 3) >> 2) * SHADOW_WORD_BYTES


@compiled
def _oldest(ctx: Any, window: int) -> int:
    """The oldest stamp that can race; older accesses only show that the memory was initialised."""
    return ctx.block_stamp if window == SHARED_WINDOW else ctx.launch_stamp


@compiled
def _same_thread(ctx: Any, word: int, mine: int) -> bool:
    """Whether an earlier access was by the same thread: block and index agree."""
    return word >> STAMP_SHIFT >= ctx.turn_stamp and (word ^ mine) >> THREAD_SHIFT & 1023 == 0


@compiled
def _read_word(
    ctx: Any, w: int, pc: int, entry: int, plane: int, held: int, mine: int, address: int, window: int
) -> None:
    """Check and record a read ``mine`` of a word that the same thread has not just accessed."""
    if held >> STAMP_SHIFT < _oldest(ctx, window):
        known = 0 if window == SHARED_WINDOW else held & (SHADOW_WRITE | SHADOW_INITIALISED)
        store_i64(entry, mine | (SHADOW_INITIALISED if known else 0))
        return
    may_race = unordered(ctx, held, window)
    if held & SHADOW_WRITE:
        if may_race:
            check_pair(ctx, w, pc, held, mine, address, window, 0)
        reader = load_i64(entry + plane)
        if not unordered(ctx, reader, window) or _same_thread(ctx, reader, mine):
            store_i64(entry + plane, mine)
        else:
            store_i64(entry + 2 * plane, mine)
        store_i64(entry, held | SHADOW_MORE)
    elif not may_race:
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
    """Check and record a write ``mine``; ``changes`` is 0 if it keeps the old value."""
    more = 0
    if held >> STAMP_SHIFT >= _oldest(ctx, window):
        more = held & SHADOW_MORE
        if more:
            for beside in range(1, 3):
                reader = load_i64(entry + beside * plane)
                if unordered(ctx, reader, window):
                    check_pair(ctx, w, pc, reader, mine, address, window, 0)
        if unordered(ctx, held, window):
            same = 1 if not changes and held & SHADOW_WRITE else 0
            check_pair(ctx, w, pc, held, mine, address, window, same)
            if not held & SHADOW_WRITE and not _same_thread(ctx, held, mine):
                # Another thread's read may still race with later writes.
                store_i64(entry + plane, held)
                more = SHADOW_MORE
    store_i64(entry, mine | SHADOW_WRITE | more)


@compiled
def track_reads(
    ctx: Any, w: int, pc: int, lanes: int, shadow: int, origin: int, window: int, flags: int
) -> None:
    """Check and record a load by ``lanes``; the virtual addresses are in the scratch area.

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
    """Check and record a store or an atomic by ``lanes``, before it executes.

    A store takes its values from ``frame``. A write that keeps the old value does not race with other writes.
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
                report(ctx, _RACE, pc, held, mine, address, window, 1)
                differs = False
            _write_word(ctx, w, pc, entry, plane, held, mine, address, window, int(differs))
            entry += SHADOW_WORD_BYTES
