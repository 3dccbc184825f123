"""The most frequent accesses to shared memory: those of words that were last accessed before the last barrier.

They cannot race with what the shadow holds, so they only have to be recorded: a read beside the write of its word, a
write in place of what was there. ``core.shadow`` treats all other accesses.
"""

from typing import Any

from grader.engines.emulator.core.byte_shadow import WHOLE, WORD
from grader.engines.emulator.core.host import first_lane, load_i64, store_i64
from grader.engines.emulator.core.jit import compiled, inlined
from grader.engines.emulator.core.lanes import run_starts
from grader.engines.emulator.core.shadow_rows import ROW_LANES, read_row
from grader.engines.emulator.core.shadow_words import (
    FIRST_READER,
    PC_SHIFT,
    SECOND_READER,
    SHADOW_KEPT,
    SHADOW_MORE,
    SHADOW_WORD_BYTES,
    SHADOW_WRITE,
    STAMP_SHIFT,
    THREAD_SHIFT,
)


@inlined
def _access(ctx: Any, w: int, pc: int) -> int:
    """The shadow word of an access to a whole word by lane 0."""
    return (ctx.stamp << STAMP_SHIFT) | (w << THREAD_SHIFT + 5) | (pc << PC_SHIFT) | WHOLE


@inlined
def _row_starts(continuing: int) -> int:
    """The lanes behind which seven lanes are ``continuing``: each at the next word of the lane before."""
    pairs = continuing & (continuing >> 1)
    fours = pairs & (pairs >> 2)
    return (fours >> 1) & (fours >> 4)


@inlined
def _record_reader(entry: int, plane: int, mine: int, since: int, turn: int) -> None:
    """Record a reader beside the write of a word: in place of one that cannot race any more, or as the last."""
    first = load_i64(entry + FIRST_READER * plane)
    seen = first >> STAMP_SHIFT
    fits = seen < since or (seen >= turn and (first ^ mine) >> THREAD_SHIFT & 1023 == 0)
    store_i64(entry + (FIRST_READER if fits else SECOND_READER) * plane, mine)


@compiled
def record_ordered_reads(ctx: Any, w: int, pc: int, lanes: int, shadow: int, origin: int, plane: int) -> int:
    """Record the lanes of a load of a word each that a barrier orders behind the write of their word.

    The shadow has no planes for single bytes. A word's first and last reader are all that it can hold of neighbouring
    lanes that read one word. Returns: the lanes that are not recorded.
    """
    # Stores to the shadow do not change these; as local values they stay in registers.
    scratch, since, oldest, turn = ctx.scratch, ctx.since, ctx.block_stamp, ctx.turn_stamp
    read = _access(ctx, w, pc)
    starts = run_starts(scratch, lanes, 0)
    ends = lanes & ~((lanes & ~starts) >> 1)
    rows = _row_starts(lanes & ~run_starts(scratch, lanes, WORD)) & (ends >> ROW_LANES - 1)
    others = 0
    while starts:
        lane, last = first_lane(starts), first_lane(ends)
        starts &= starts - 1
        ends &= ends - 1
        entry = shadow + ((load_i64(scratch + 8 * lane) - origin) >> 2) * SHADOW_WORD_BYTES
        mine = read | (lane << THREAD_SHIFT)
        if (rows >> lane) & 1 and read_row(entry, plane, mine, since, oldest, turn):
            starts &= -1 << (lane + ROW_LANES)
            ends &= -1 << (lane + ROW_LANES)
            continue
        held = load_i64(entry)
        stamp = held >> STAMP_SHIFT
        if stamp < oldest or stamp >= since or held & (SHADOW_WRITE | SHADOW_KEPT) != SHADOW_WRITE:
            others |= (2 << last) - (1 << lane)
            continue
        _record_reader(entry, plane, mine, since, turn)
        if last != lane:
            _record_reader(entry, plane, read | (last << THREAD_SHIFT), since, turn)
        if not held & SHADOW_MORE:
            store_i64(entry, held | SHADOW_MORE)
    return others


@compiled
def record_ordered_writes(ctx: Any, w: int, pc: int, lanes: int, shadow: int, origin: int, plane: int) -> int:
    """Record the lanes of a store of a word each that a barrier orders behind all recorded accesses of their word.

    The shadow has no planes for single bytes. Returns: the lanes that are not recorded.
    """
    scratch, since, oldest = ctx.scratch, ctx.since, ctx.block_stamp
    write = _access(ctx, w, pc) | SHADOW_WRITE
    others = 0
    remaining = lanes
    while remaining:
        lane = first_lane(remaining)
        remaining &= remaining - 1
        entry = shadow + ((load_i64(scratch + 8 * lane) - origin) >> 2) * SHADOW_WORD_BYTES
        held = load_i64(entry)
        latest = held >> STAMP_SHIFT
        more = 0
        if latest >= oldest:
            more = held & (SHADOW_MORE | SHADOW_KEPT if held & SHADOW_WRITE else SHADOW_MORE)
        if more:
            beside = max(load_i64(entry + FIRST_READER * plane), load_i64(entry + SECOND_READER * plane))
            latest = max(latest, beside >> STAMP_SHIFT)
        if latest >= since:
            others |= 1 << lane
        else:
            store_i64(entry, write | more | (lane << THREAD_SHIFT))
    return others
