"""The most frequent access to shared memory: a read of what was written before the last barrier.

It cannot race with the write, so only its thread has to be recorded. ``core.shadow`` treats all other accesses.
"""

from typing import Any

from grader.engines.emulator.core.byte_shadow import WHOLE, WORD
from grader.engines.emulator.core.host import load_i64, store_i64
from grader.engines.emulator.core.jit import compiled
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
from grader.engines.emulator.core.views import instruction_at


@compiled
def record_ordered_reads(ctx: Any, w: int, pc: int, lanes: int, shadow: int, origin: int, plane: int) -> int:
    """Record the lanes of a load from shared memory that a barrier orders behind the write of their word.

    The shadow has no planes for single bytes. A word's first and last reader are all that the shadow can hold of
    neighbouring lanes that read one word. Returns: the lanes that are not recorded; all of them for wide elements.
    """
    ins = instruction_at(ctx.code, pc)
    if int(ins.width) * int(ins.count) != WORD:
        return lanes
    # Stores to the shadow do not change these; as local values they stay in registers.
    scratch, since, oldest, turn = ctx.scratch, ctx.since, ctx.block_stamp, ctx.turn_stamp
    read = (ctx.stamp << STAMP_SHIFT) | (w << THREAD_SHIFT + 5) | (pc << PC_SHIFT) | WHOLE
    others = 0
    last = -1
    for lane in range(32):
        if not (lanes >> lane) & 1:
            continue
        address = load_i64(scratch + 8 * lane)
        if address == last and (lanes >> lane) & 2 and load_i64(scratch + 8 * lane + 8) == address:
            continue
        entry = shadow + ((address - origin) >> 2) * SHADOW_WORD_BYTES
        held = load_i64(entry)
        stamp = held >> STAMP_SHIFT
        if stamp < oldest or stamp >= since or held & (SHADOW_WRITE | SHADOW_KEPT) != SHADOW_WRITE:
            others |= 1 << lane
            continue
        last = address
        mine = read | (lane << THREAD_SHIFT)
        first = load_i64(entry + FIRST_READER * plane)
        seen = first >> STAMP_SHIFT
        fits = seen < since or (seen >= turn and (first ^ mine) >> THREAD_SHIFT & 1023 == 0)
        store_i64(entry + (FIRST_READER if fits else SECOND_READER) * plane, mine)
        if not held & SHADOW_MORE:
            store_i64(entry, held | SHADOW_MORE)
    return others
