"""Record events for the diagnosis: the first occurrence in full, later ones as a count."""

from typing import Any

from grader.engines.emulator.core.host import load_i8, load_i64, store_i8
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.records import EVENT_ROOM
from grader.engines.emulator.core.views import event_at


@compiled
def note(
    ctx: Any,
    kind: int,
    pc: int,
    other_pc: int,
    space: int,
    window: int,
    address: int,
    thread: int,
    other_thread: int,
    other_block: int,
) -> int:
    """Count an event of ``kind`` for an instruction or a pair of them, and keep the details of the first.

    ``other_*`` are -1 if there is no second access. Returns: the event's number, or -1 if the table is full.
    """
    for index in range(ctx.event_count):
        event = event_at(ctx.events, index)
        if event.kind == kind and event.pc == pc and event.other_pc == other_pc and event.window == window:
            event.count += 1
            event.lowest = min(event.lowest, address)
            event.highest = max(event.highest, address)
            _involve(ctx, index, thread)
            return index
    if ctx.event_count >= EVENT_ROOM[kind]:
        return -1
    event = event_at(ctx.events, ctx.event_count)
    ctx.event_count += 1
    event.kind = kind
    event.pc = pc
    event.other_pc = other_pc
    event.space = space
    event.window = window
    event.address = address
    event.lowest = address
    event.highest = address
    event.thread = thread
    event.block = ctx.block
    event.other_thread = other_thread
    event.other_block = other_block
    event.count = 1
    _involve(ctx, ctx.event_count - 1, thread)
    return ctx.event_count - 1


@compiled
def _involve(ctx: Any, index: int, thread: int) -> None:
    """Mark ``thread`` of the current block as involved in event ``index``."""
    number = ctx.block * ctx.block_threads + thread
    if number >= 8 * ctx.event_threads_bytes:
        return
    byte = ctx.event_threads + index * ctx.event_threads_bytes + (number >> 3)
    store_i8(byte, load_i8(byte) | (1 << (number & 7)))


@compiled
def block_at(ctx: Any, stamp: int) -> int:
    """The block (linear index) that had the turn at ``stamp``."""
    low, high = 0, ctx.turn_count - 1
    while low < high:
        middle = (low + high + 1) // 2
        if load_i64(ctx.turn_stamps + 8 * middle) <= stamp:
            low = middle
        else:
            high = middle - 1
    return load_i64(ctx.turn_blocks + 8 * low)
