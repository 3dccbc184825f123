"""Track accesses in shadow memory to detect races and uninitialised reads.

A shadow word is one access: stamp, thread, instruction and bytes touched. The shadow has planes with one word for
every four bytes. The first plane holds the last write or, if there was no write since the launch began (for shared
memory: since the block began), the first of the unordered readers. The next two planes hold up to two more accesses,
which ``SHADOW_MORE`` in the first plane marks: readers from other threads, or a plain access that an atomic or volatile
one of the same thread replaced, because that conflicts with less. Most words have one writer or one reader, so these
planes are rarely used, and unused pages take no physical memory: a tracked buffer costs eight bytes for every four.
Bytes and halves have planes of their own (``core.byte_shadow``).
"""

from typing import Any

from grader.engines.emulator.core.addresses import SHARED_WINDOW
from grader.engines.emulator.core.atomics import Atomic
from grader.engines.emulator.core.byte_shadow import WHOLE, WORD, byte_bits, byte_entry, is_narrow, split
from grader.engines.emulator.core.codes import STRONG, EventKind, Op, WindowFlag
from grader.engines.emulator.core.conflicts import check_pair, is_strong, report, unordered
from grader.engines.emulator.core.events import note
from grader.engines.emulator.core.host import load_i64, store_i64
from grader.engines.emulator.core.jit import compiled, inlined
from grader.engines.emulator.core.ordered_accesses import record_ordered_reads, record_ordered_writes
from grader.engines.emulator.core.releases import plane_bytes, synchronise
from grader.engines.emulator.core.shadow_words import (
    FIRST_READER,
    PC_MASK,
    PC_SHIFT,
    SECOND_READER,
    SHADOW_INITIALISED,
    SHADOW_KEPT,
    SHADOW_MORE,
    SHADOW_WORD_BYTES,
    SHADOW_WRITE,
    STAMP_SHIFT,
    THREAD_SHIFT,
)
from grader.engines.emulator.core.stored_values import clashes, leaves
from grader.engines.emulator.core.undefined_values import record_unwritten
from grader.engines.emulator.core.views import instruction_at, window_at

_RACE = int(EventKind.RACE)
_UNINITIALISED = int(EventKind.UNINITIALISED)
_STORE, _ATOMIC, _EXCHANGE = int(Op.STORE), int(Op.ATOMIC), int(Atomic.EXCHANGE)
_MAY_BE_UNINITIALISED = int(WindowFlag.UNINITIALISED)
_STRONG = int(STRONG)


@inlined
def _oldest(ctx: Any, window: int) -> int:
    """The oldest stamp that can race; older accesses only show that the memory was initialised."""
    return ctx.block_stamp if window == SHARED_WINDOW else ctx.launch_stamp


@inlined
def _same_thread(ctx: Any, word: int, mine: int) -> bool:
    """Whether an earlier access was by the same thread: block and index agree."""
    return word >> STAMP_SHIFT >= ctx.turn_stamp and (word ^ mine) >> THREAD_SHIFT & 1023 == 0


@inlined
def _may_be_unwritten(ctx: Any, window: int) -> bool:
    """Whether memory can be read before anything was written there."""
    return window == SHARED_WINDOW or window_at(ctx.windows, window).flags & _MAY_BE_UNINITIALISED != 0


@compiled
def _note_unwritten(ctx: Any, w: int, pc: int, lane: int, address: int, window: int, atomic: int) -> None:
    """Record that a lane reads memory that nothing has written; an atomic other than an exchange also keeps it."""
    ins = instruction_at(ctx.code, pc)
    if atomic == 0 or ins.function != _EXCHANGE:
        note(ctx, _UNINITIALISED, pc, -1, int(ins.space), window, address, w * 32 + lane, -1, -1)
    if window == SHARED_WINDOW:
        record_unwritten(ctx, w, lane, address)


@inlined
def _is_uninitialised(ctx: Any, held: int, window: int) -> bool:
    """Whether nothing was written to a word or byte, by what its first plane holds."""
    if window == SHARED_WINDOW and held >> STAMP_SHIFT < ctx.block_stamp:
        return True
    return held & (SHADOW_WRITE | SHADOW_INITIALISED) == 0


@compiled
def _hides(ctx: Any, pc: int, word: int) -> bool:
    """Whether a strong access at ``pc`` conflicts with less than the plain one ``word`` of the same thread."""
    return is_strong(ctx, pc) and not is_strong(ctx, (word >> PC_SHIFT) & PC_MASK)


@compiled
def _keep_beside(ctx: Any, entry: int, plane: int, word: int, window: int) -> None:
    """Keep an access in the second or third plane, in place of one that cannot race any more or of a reader."""
    first, second = load_i64(entry + FIRST_READER * plane), load_i64(entry + SECOND_READER * plane)
    fits = not unordered(ctx, first, window) or (_same_thread(ctx, first, word) and not first & SHADOW_WRITE)
    kept = unordered(ctx, second, window) and second & SHADOW_WRITE and not first & SHADOW_WRITE
    store_i64(entry + (FIRST_READER if fits or kept else SECOND_READER) * plane, word)


@compiled
def _check_beside(
    ctx: Any, w: int, pc: int, entry: int, plane: int, mine: int, address: int, window: int, wanted: int
) -> None:
    """Check an access against those in the second and third plane: all, or with ``wanted`` only the writes."""
    for beside in (FIRST_READER, SECOND_READER):
        word = load_i64(entry + beside * plane)
        if word & wanted == wanted and unordered(ctx, word, window):
            check_pair(ctx, w, pc, word, mine, address, window, 0)


@inlined
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
        if held & SHADOW_KEPT:
            _check_beside(ctx, w, pc, entry, plane, mine, address, window, SHADOW_WRITE)
            _keep_beside(ctx, entry, plane, mine, window)
            return
        reader = load_i64(entry + FIRST_READER * plane)
        fits = not unordered(ctx, reader, window) or _same_thread(ctx, reader, mine)
        store_i64(entry + (FIRST_READER if fits else SECOND_READER) * plane, mine)
        store_i64(entry, held | SHADOW_MORE)
    elif not may_race:
        store_i64(entry, mine | (held & (SHADOW_INITIALISED | SHADOW_MORE)))
    elif not _same_thread(ctx, held, mine):
        store_i64(entry + SECOND_READER * plane, mine)
        if not held & SHADOW_MORE:
            store_i64(entry, held | SHADOW_MORE)
    elif not _hides(ctx, pc, held):
        same = held >> STAMP_SHIFT == mine >> STAMP_SHIFT
        kept = SHADOW_INITIALISED | SHADOW_MORE | (WHOLE if same else 0)
        store_i64(entry, mine | (held & kept))


@inlined
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
        more = held & ((SHADOW_MORE | SHADOW_KEPT) if held & SHADOW_WRITE else SHADOW_MORE)
        if more:
            _check_beside(ctx, w, pc, entry, plane, mine, address, window, 0)
        if unordered(ctx, held, window):
            same = 1 if not changes and held & SHADOW_WRITE else 0
            check_pair(ctx, w, pc, held, mine, address, window, same)
            others_read = not held & SHADOW_WRITE and not _same_thread(ctx, held, mine)
            if others_read or _hides(ctx, pc, held):
                # It may still race with later writes, or with later accesses.
                _keep_beside(ctx, entry, plane, held, window)
                more |= SHADOW_MORE | (SHADOW_KEPT if held & SHADOW_WRITE else 0)
    store_i64(entry, mine | SHADOW_WRITE | more)


@compiled
def track_reads(ctx: Any, w: int, pc: int, lanes: int, shadow: int, origin: int, window: int) -> None:
    """Check and record a load by ``lanes``; the virtual addresses are in the scratch area.

    ``shadow`` is the host address of the shadow of virtual address ``origin``.
    """
    ins = instruction_at(ctx.code, pc)
    size = int(ins.width) * int(ins.count)
    plane = plane_bytes(ctx, window)
    narrow = is_narrow(ctx, window)
    wanted = _may_be_unwritten(ctx, window)
    remaining = lanes
    if window == SHARED_WINDOW and not narrow and size == WORD:
        remaining = record_ordered_reads(ctx, w, pc, lanes, shadow, origin, plane)
    for lane in range(32 if remaining else 0):
        if not (remaining >> lane) & 1:
            continue
        address = load_i64(ctx.scratch + 8 * lane)
        thread = w * 32 + lane
        bits = byte_bits(address, size)
        mine = (ctx.stamp << STAMP_SHIFT) | (thread << THREAD_SHIFT) | (pc << PC_SHIFT) | bits
        entry = shadow + ((address - origin) >> 2) * SHADOW_WORD_BYTES
        for _word in range((size + 3) >> 2):
            by_bytes = narrow and (size < WORD or load_i64(entry) & WHOLE == 1) and split(entry, plane, size)
            uninitialised = True
            for byte in range(WORD if by_bytes else 1):
                of_byte, own = entry, mine
                if by_bytes:
                    if not (bits >> byte) & 1:
                        continue
                    of_byte, own = byte_entry(entry, plane, byte), mine & ~WHOLE | (1 << byte)
                held = load_i64(of_byte)
                uninitialised &= _is_uninitialised(ctx, held, window)
                if (held ^ own) >> THREAD_SHIFT or own & WHOLE & ~held:
                    _read_word(ctx, w, pc, of_byte, plane, held, own, address, window)
            if wanted and uninitialised:
                _note_unwritten(ctx, w, pc, lane, address, window, 0)
            entry += SHADOW_WORD_BYTES
    if ins.flags & _STRONG:
        synchronise(ctx, w, pc, lanes, window)


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
    plane = plane_bytes(ctx, window)
    narrow = is_narrow(ctx, window)
    values = frame if ins.op == _STORE else 0
    reads = ins.op == _ATOMIC and _may_be_unwritten(ctx, window)
    remaining = lanes
    if window == SHARED_WINDOW and not narrow and size == WORD and not reads:
        remaining = record_ordered_writes(ctx, w, pc, lanes, shadow, origin, plane)
    for lane in range(32 if remaining else 0):
        if not (remaining >> lane) & 1:
            continue
        address = load_i64(ctx.scratch + 8 * lane)
        thread = w * 32 + lane
        bits = byte_bits(address, size)
        mine = (ctx.stamp << STAMP_SHIFT) | (thread << THREAD_SHIFT) | (pc << PC_SHIFT) | bits
        entry = shadow + ((address - origin) >> 2) * SHADOW_WORD_BYTES
        changes = int(values == 0 or not leaves(ctx, pc, frame, lane, address + ctx.delta))
        for _word in range((size + 3) >> 2):
            by_bytes = narrow and (size < WORD or load_i64(entry) & WHOLE == 1) and split(entry, plane, size)
            uninitialised = reads
            for byte in range(WORD if by_bytes else 1):
                of_byte, own = entry, mine
                if by_bytes:
                    if not (bits >> byte) & 1:
                        continue
                    of_byte, own = byte_entry(entry, plane, byte), mine & ~WHOLE | (1 << byte)
                held = load_i64(of_byte)
                uninitialised = uninitialised and _is_uninitialised(ctx, held, window)
                differs = changes
                if values and clashes(ctx, w, pc, lanes, held, lane, frame, changes):
                    report(ctx, _RACE, pc, held, own, address, window, 1)
                    differs = 0
                _write_word(ctx, w, pc, of_byte, plane, held, own, address, window, differs)
            if by_bytes and bits == WHOLE:
                store_i64(entry, mine | SHADOW_WRITE)
            if uninitialised:
                _note_unwritten(ctx, w, pc, lane, address, window, 1)
            entry += SHADOW_WORD_BYTES
    if ins.flags & _STRONG:
        synchronise(ctx, w, pc, lanes, window)
