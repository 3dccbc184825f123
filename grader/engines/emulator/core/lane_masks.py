"""Member masks of ``.sync`` operations: which lanes they name."""

from typing import Any

from grader.engines.emulator.core.codes import EventKind
from grader.engines.emulator.core.events import note
from grader.engines.emulator.core.host import load_u32
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.rows import operand
from grader.engines.emulator.core.views import event_at

_OUTSIDE_MASK = int(EventKind.OUTSIDE_MASK)
_ALL_LANES = 0xFFFFFFFF


@compiled
def absent_lanes(ctx: Any, warp: Any, ins: Any, rows: int, mask: int) -> int:
    """The live lanes that are in the member mask of a ``.sync`` instruction but not in ``mask``."""
    members = operand(ctx, rows, ins.target)
    named = 0
    for lane in range(32):
        if (mask >> lane) & 1:
            named |= load_u32(members + 4 * lane)
    return named & warp.live & ~mask & _ALL_LANES


@compiled
def note_outsiders(ctx: Any, w: int, ins: Any, pc: int, rows: int, lanes: int) -> None:
    """Record each of ``lanes`` that executes a ``.sync`` instruction without being in its own mask."""
    members = operand(ctx, rows, ins.target)
    for lane in range(32):
        mask = load_u32(members + 4 * lane)
        if (lanes & ~mask) >> lane & 1:
            event = note(ctx, _OUTSIDE_MASK, pc, -1, 0, 0, 0, w * 32 + lane, -1, ctx.block)
            if event >= 0:
                event_at(ctx.events, event).detail = mask
