"""Select the lanes of a warp that run next.

Every lane has its own program counter. The lanes of the deepest call run first, and of those the lanes with the lowest
counter, so that diverged paths reconverge as soon as the code allows. Lanes that wait for other lanes of their warp
(``at_warp_sync``) join when the others arrive. ``warp.rotation`` changes the order after a turn without progress, so
that lanes that spin on a lock do not starve the lane that holds it.
"""

from typing import Any

from grader.engines.emulator.core.jit import compiled

NEVER = 1 << 40
"""A program counter that is never reached."""


@compiled
def select(ctx: Any, warp: Any) -> int:
    """Select the lanes to run; they share a program counter and a frame.

    Returns: their mask, 0 if none can run. Sets ``ctx.chosen_pc``, ``ctx.chosen_frame`` and ``ctx.reconvergence_pc``,
    the next counter at which other lanes of the warp may wait.
    """
    ready = warp.live & ~warp.waiting & ~warp.at_warp_sync
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
    reconvergence_pc = NEVER
    present = warp.live & ~warp.waiting
    for lane in range(32):
        if not (present >> lane) & 1 or warp.frames[lane] != deepest:
            continue
        if _key(warp.pcs[lane], warp.rotation) == best:
            chosen |= 1 << lane
            pc = warp.pcs[lane]
    for lane in range(32):
        if (present & ~chosen) >> lane & 1 and warp.frames[lane] == deepest and warp.pcs[lane] > pc:
            reconvergence_pc = min(reconvergence_pc, warp.pcs[lane])
    warp.at_warp_sync &= ~chosen
    ctx.chosen_pc = pc
    ctx.chosen_frame = deepest
    ctx.reconvergence_pc = reconvergence_pc
    return chosen


@compiled
def _key(pc: int, rotation: int) -> int:
    return pc - rotation if pc >= rotation else pc - rotation + (1 << 30)


@compiled
def suspend(warp: Any, lanes: int, pc: int, frame: int) -> None:
    """Save where ``lanes`` resume."""
    for lane in range(32):
        if (lanes >> lane) & 1:
            warp.pcs[lane] = pc
            warp.frames[lane] = frame
