"""Detect races: pairs of conflicting accesses that nothing orders.

Stamps count barriers, ``__syncwarp``s, fences and block starts, so two accesses are ordered if a barrier of the block
is between them (``ctx.since``), or a synchronisation of their common warp (``warp.since``), or a fence after the
first and an atomic before the second (a lock, or the "last block" pattern).
"""

from typing import Any

from grader.engines.emulator.core.addresses import SHARED_WINDOW
from grader.engines.emulator.core.codes import EventKind, Flag
from grader.engines.emulator.core.events import block_at, note
from grader.engines.emulator.core.host import load_i64
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.ordering import explain
from grader.engines.emulator.core.shadow_words import PC_MASK, PC_SHIFT, STAMP_SHIFT, THREAD_SHIFT
from grader.engines.emulator.core.views import event_at, instruction_at, warp_at

_RACE = int(EventKind.RACE)
_HAZARD = int(EventKind.WARP_HAZARD)
_SAME_VALUE = int(EventKind.SAME_VALUE)
_ATOMIC = int(Flag.ATOMIC)
_VOLATILE = int(Flag.VOLATILE)
_NONE = -1


@compiled
def unordered(ctx: Any, word: int, window: int) -> bool:
    """Whether an earlier access may be unordered with a current one: same epoch, or another block of this launch."""
    stamp = word >> STAMP_SHIFT
    if window == SHARED_WINDOW or stamp >= ctx.turn_stamp:
        return stamp >= ctx.since
    return stamp >= ctx.launch_stamp


@compiled
def _between_blocks(ctx: Any, block: int, stamp: int, both_volatile: int) -> int:
    """Check an access by another block: ``_NONE`` after a fence by it and an atomic or volatile access here.

    Two volatile accesses count as a flag that one block sets and the other polls, if one block executed a fence.
    """
    fence = load_i64(ctx.block_fences + 8 * block)
    if both_volatile and (fence or load_i64(ctx.block_fences + 8 * ctx.block)):
        return _NONE
    return _NONE if fence > stamp and ctx.acquired > stamp else _RACE


@compiled
def _conflict(ctx: Any, w: int, flags: int, word: int, thread: int, shared: bool) -> int:
    """Whether an earlier access ``word`` by another thread races with one by ``thread`` now: an event kind or -1."""
    stamp = word >> STAMP_SHIFT
    other_flags = instruction_at(ctx.code, (word >> PC_SHIFT) & PC_MASK).flags
    if (flags & _ATOMIC and other_flags & (_ATOMIC | _VOLATILE)) or (
        other_flags & _ATOMIC and flags & _VOLATILE
    ):
        return _NONE
    if not shared and stamp < ctx.turn_stamp:
        block = block_at(ctx, stamp)
        if block != ctx.block:
            return _between_blocks(ctx, block, stamp, flags & other_flags & _VOLATILE)
    other = (word >> THREAD_SHIFT) & 1023
    if other == thread or stamp < ctx.since:
        return _NONE
    if stamp < warp_at(ctx.states, w).seen[other >> 5]:
        return _NONE
    if other >> 5 == w:
        return _HAZARD if stamp >= warp_at(ctx.states, w).since else _NONE
    released = warp_at(ctx.states, other >> 5).fenced
    return _NONE if released > stamp and warp_at(ctx.states, w).acquired >= released else _RACE


@compiled
def check_pair(ctx: Any, w: int, pc: int, word: int, mine: int, address: int, window: int, same: int) -> None:
    """Report the pair of accesses ``word`` (earlier) and ``mine`` (now) if they race.

    ``same`` is 1 if both write the same value, which is allowed for lanes of one warp.
    """
    if word & mine & 15 == 0:
        return
    thread = (mine >> THREAD_SHIFT) & 1023
    shared = window == SHARED_WINDOW
    kind = _conflict(ctx, w, int(instruction_at(ctx.code, pc).flags), word, thread, shared)
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
