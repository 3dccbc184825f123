"""Which lanes of a warp run next.

Every lane has its own program counter. The lanes of the deepest call run first, and among them those with the lowest
counter, so that paths that split meet again as soon as the code allows. Lanes that wait for the others of their warp
(``parked``) join when the others arrive. ``warp.rotation`` moves the order round when a turn ends without progress, so
that a lane that holds a lock is not starved by lanes that spin on it.
"""

from typing import Any

from grader.engines.emulator.core.jit import compiled

NEVER = 1 << 40
"""A program counter that is never reached."""


@compiled
def select(ctx: Any, warp: Any) -> int:
    """Choose the lanes to run; they share a program counter and a frame.

    Returns: their mask, 0 where none can run. Sets ``ctx.chosen_pc``, ``ctx.chosen_frame`` and ``ctx.meeting``, the
    next counter at which another group may be met.
    """
    ready = warp.live & ~warp.waiting & ~warp.parked
    if ready == 0:
        return 0
    deepest = -1
    for lane in range(32):
        if (ready >> lane) & 1 and warp.frames[lane] > deepest:
            deepest = warp.frames[lane]
    best = NEVER
    for lane in range(32):
        if (ready >> lane) & 1 and warp.frames[lane] == deepest:
            key = _key(warp.pcs[lane], warp.rotation)
            best = min(best, key)
    chosen = 0
    pc = 0
    meeting = NEVER
    present = warp.live & ~warp.waiting
    for lane in range(32):
        if not (present >> lane) & 1 or warp.frames[lane] != deepest:
            continue
        if _key(warp.pcs[lane], warp.rotation) == best:
            chosen |= 1 << lane
            pc = warp.pcs[lane]
    for lane in range(32):
        if (present & ~chosen) >> lane & 1 and warp.frames[lane] == deepest and warp.pcs[lane] > pc:
            meeting = min(meeting, warp.pcs[lane])
    warp.parked &= ~chosen
    ctx.chosen_pc = pc
    ctx.chosen_frame = deepest
    ctx.meeting = meeting
    return chosen


@compiled
def _key(pc: int, rotation: int) -> int:
    return pc - rotation if pc >= rotation else pc - rotation + (1 << 30)


@compiled
def suspend(warp: Any, lanes: int, pc: int, frame: int) -> None:
    """Remember where ``lanes`` go on."""
    for lane in range(32):
        if (lanes >> lane) & 1:
            warp.pcs[lane] = pc
            warp.frames[lane] = frame
