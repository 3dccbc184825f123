"""Track initialisation of local memory: every four bytes have the stamp of the block that wrote them."""

from typing import Any

from grader.engines.emulator.core.addresses import LOCAL_WINDOW
from grader.engines.emulator.core.codes import EventKind, Space
from grader.engines.emulator.core.events import note
from grader.engines.emulator.core.host import load_i32, load_i64, store_i32
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.undefined_values import record_unwritten
from grader.engines.emulator.core.views import instruction_at

_UNINITIALISED, _LOCAL = int(EventKind.UNINITIALISED), int(Space.LOCAL)
_WORD_BITS = 0x7FFFFFFF


@compiled
def track_local(ctx: Any, w: int, pc: int, lanes: int, writes: bool) -> None:
    """Mark the bytes that ``lanes`` write, or report reads of bytes that this block has not written.

    The scratch area holds host addresses in local memory.
    """
    ins = instruction_at(ctx.code, pc)
    words = (int(ins.width) * int(ins.count) + 3) >> 2
    written = ctx.block_stamp & _WORD_BITS
    for lane in range(32):
        if not (lanes >> lane) & 1:
            continue
        offset = load_i64(ctx.scratch + 8 * lane) - ctx.local
        mark = ctx.local_init_stamps + (offset & ~3)
        for word in range(words):
            if writes:
                store_i32(mark + 4 * word, written)
            elif load_i32(mark + 4 * word) != written:
                address = offset - (w * 32 + lane) * ctx.local_bytes
                note(ctx, _UNINITIALISED, pc, -1, _LOCAL, LOCAL_WINDOW, address, w * 32 + lane, -1, -1)
                record_unwritten(ctx, w, lane, address)
                break
