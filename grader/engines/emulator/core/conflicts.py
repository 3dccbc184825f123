"""Detect races: pairs of conflicting accesses that nothing orders.

Stamps count barriers, ``__syncwarp``s, fences and block starts, so two accesses are ordered if a barrier of the block
is between them (``ctx.since``), or a synchronisation of their common warp (``core.ordering``), or if the first was
released and the second acquired that (``core.releases``).
"""

from typing import Any

from grader.engines.emulator.core.addresses import SHARED_WINDOW
from grader.engines.emulator.core.codes import STRONG, EventKind, Flag, Op
from grader.engines.emulator.core.events import block_at, note
from grader.engines.emulator.core.jit import compiled, inlined
from grader.engines.emulator.core.ordering import explain, lanes_are_ordered
from grader.engines.emulator.core.releases import is_released, location_of
from grader.engines.emulator.core.shadow_words import PC_MASK, PC_SHIFT, STAMP_SHIFT, THREAD_SHIFT
from grader.engines.emulator.core.views import event_at, instruction_at, warp_at

_RACE = int(EventKind.RACE)
_HAZARD = int(EventKind.WARP_HAZARD)
_SAME_VALUE = int(EventKind.SAME_VALUE)
_ATOMIC, _RELAXED, _BLOCK_SCOPE = int(Flag.ATOMIC), int(Flag.RELAXED), int(Flag.BLOCK_SCOPE)
_UPDATES, _DECIDES, _POLLS = int(Flag.UPDATES), int(Flag.DECIDES), int(Flag.POLLS)
_GUESSES = int(Flag.GUESSES)
_STRONG = int(STRONG)
_LOAD = int(Op.LOAD)
_NONE = -1


@inlined
def unordered(ctx: Any, word: int, window: int) -> bool:
    """Whether an earlier access may be unordered with a current one: same epoch, or another block of this launch."""
    stamp = word >> STAMP_SHIFT
    if window == SHARED_WINDOW or stamp >= ctx.turn_stamp:
        return stamp >= ctx.since
    return stamp >= ctx.launch_stamp


@compiled
def is_strong(ctx: Any, pc: int) -> bool:
    """Whether the access at ``pc`` may meet another strong one."""
    return instruction_at(ctx.code, pc).flags & _STRONG != 0


@compiled
def _may_meet(mine: Any, other: Any, between_blocks: bool) -> bool:
    """Whether two accesses need no order: both are strong, in the scope of both, and none is lost.

    A plain load may meet atomics if a compare-and-swap then compares with what it read.

    Volatile accesses meet only at a flag. It decides a branch of the thread that reads it: for another thread of the
    block one that ends a loop, because a block has barriers for everything else.
    """
    both, either = mine.flags & other.flags, mine.flags | other.flags
    if either & _GUESSES and either & _ATOMIC:
        return True
    if not mine.flags & _STRONG or not other.flags & _STRONG or (between_blocks and either & _BLOCK_SCOPE):
        return False
    if both & _ATOMIC:
        return True
    if either & _UPDATES and _LOAD not in (mine.op, other.op):
        return False
    if either & _ATOMIC:
        return True
    if mine.width != other.width:
        return False
    return either & (_RELAXED | _POLLS) != 0 or (between_blocks and either & _DECIDES != 0)


@compiled
def _conflict(ctx: Any, w: int, pc: int, word: int, thread: int, address: int, window: int) -> int:
    """Whether an earlier access ``word`` by another thread races with one by ``thread`` now: an event kind or -1."""
    shared = window == SHARED_WINDOW
    stamp = word >> STAMP_SHIFT
    warp = warp_at(ctx.states, w)
    other = (word >> THREAD_SHIFT) & 1023
    block = ctx.block if shared or stamp >= ctx.turn_stamp else block_at(ctx, stamp)
    between_blocks = block != ctx.block
    if not between_blocks and (other == thread or stamp < ctx.since or stamp < warp.seen[other >> 5]):
        return _NONE
    mine, earlier = instruction_at(ctx.code, pc), instruction_at(ctx.code, (word >> PC_SHIFT) & PC_MASK)
    if _may_meet(mine, earlier, between_blocks):
        return _NONE
    same_warp = not between_blocks and other >> 5 == w
    if same_warp and lanes_are_ordered(warp, thread & 31, other & 31, stamp):
        return _NONE
    if ctx.acquired and is_released(ctx, w, block, other >> 5, stamp, location_of(ctx, address, window)):
        return _NONE
    return _HAZARD if same_warp else _RACE


@compiled
def check_pair(ctx: Any, w: int, pc: int, word: int, mine: int, address: int, window: int, same: int) -> None:
    """Report the pair of accesses ``word`` (earlier) and ``mine`` (now) if they race.

    ``same`` is 1 if both write the same value, which is allowed for lanes of one warp.
    """
    if word & mine & 15 == 0:
        return
    thread = (mine >> THREAD_SHIFT) & 1023
    kind = _conflict(ctx, w, pc, word, thread, address, window)
    if kind == _NONE or (kind == _HAZARD and (same or (word >> PC_SHIFT) & PC_MASK == pc)):
        return
    report(ctx, _SAME_VALUE if same else kind, pc, word, mine, address, window, 0)


@compiled
def report(
    ctx: Any, kind: int, pc: int, word: int, mine: int, address: int, window: int, at_once: int
) -> None:
    """Record the pair of accesses ``word`` (earlier) and ``mine`` (now); ``at_once``: both are in one execution."""
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
