"""Release and acquire: what flags, counters and locks order.

A fence releases the earlier accesses of its warp, and those of other warps up to the block's last barrier. A strong
write behind it publishes that release at its address, in addition to what was published there before. A strong read
acquires what is published at its address, for its warp, and for the block from the next barrier on. Both are logged, a
release with a stamp for each warp of the block: its accesses before that stamp are covered. To order two accesses, the
log is searched from the acquisitions of the later one, also through other blocks.
"""

from typing import Any

from grader.engines.emulator.core.addresses import SHARED_WINDOW
from grader.engines.emulator.core.codes import Flag, Op, Scope
from grader.engines.emulator.core.host import load_i64, store_i64
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.shadow_words import LOCATION_PLANE, SHADOW_WORD_BYTES
from grader.engines.emulator.core.sync_records import MAX_ACQUISITIONS, MAX_RELEASES
from grader.engines.emulator.core.views import acquisition_at, instruction_at, release_at, warp_at, window_at

_LOAD, _ATOMIC = int(Op.LOAD), int(Op.ATOMIC)
_BLOCK_SCOPE, _UNREAD = int(Flag.BLOCK_SCOPE), int(Flag.UNREAD)
_BLOCK, _DEVICE = int(Scope.BLOCK), int(Scope.DEVICE)
_NUMBER = 0xFFFFFFFF
_FOUND = -1

_MOST_STEPS = 1 << 28
"""Steps of all searches of a launch together. Behind that, and behind a full log, pairs count as ordered."""


@compiled
def fence(ctx: Any, w: int, scope: int) -> None:
    """Warp ``w`` executes a fence, at a new stamp. One for the device is one for the block, too."""
    warp = warp_at(ctx.states, w)
    ctx.stamp += 1
    for reach in range(scope + 1):
        warp.fenced[reach] = ctx.stamp
        warp.fence_since[reach] = ctx.since
        ctx.fenced[reach] = ctx.stamp


@compiled
def carry_fences(ctx: Any) -> None:
    """A barrier of the whole block lets every warp publish what other warps have released before it."""
    if ctx.fenced[_BLOCK] == 0:
        return
    for w in range(ctx.warps):
        warp = warp_at(ctx.states, w)
        for reach in range(2):
            warp.fenced_before[reach] = warp.fenced[reach]
            ctx.released_before[reach] = max(ctx.released_before[reach], warp.fence_since[reach])


@compiled
def plane_bytes(ctx: Any, window: int) -> int:
    """Bytes from a shadow word to the same word of the next plane."""
    size = ctx.shared_bytes if window == SHARED_WINDOW else window_at(ctx.windows, window).size
    return ((size + 3) >> 2) * SHADOW_WORD_BYTES


@compiled
def location_of(ctx: Any, address: int, window: int) -> int:
    """The shadow word for what is published at an address of the window that is accessed now."""
    shadow = ctx.shared_shadow if window == SHARED_WINDOW else window_at(ctx.windows, window).shadow
    word = (address - ctx.shadow_origin) >> 2
    return shadow + LOCATION_PLANE * plane_bytes(ctx, window) + word * SHADOW_WORD_BYTES


@compiled
def synchronise(ctx: Any, w: int, pc: int, lanes: int, window: int) -> None:
    """Acquire and publish at the addresses of a strong access."""
    if ctx.release_count == 0 and ctx.fenced[_BLOCK] == 0:
        return
    ins = instruction_at(ctx.code, pc)
    reads = ins.op == _LOAD or (ins.op == _ATOMIC and ins.d >= 0 and not ins.flags & _UNREAD)
    shared = window == SHARED_WINDOW
    scope = _BLOCK if shared or ins.flags & _BLOCK_SCOPE else _DEVICE
    for lane in range(32):
        if not (lanes >> lane) & 1:
            continue
        location = location_of(ctx, load_i64(ctx.scratch + 8 * lane), window)
        if reads:
            _acquire(ctx, w, location, scope, shared)
        if ins.op != _LOAD:
            if scope == _DEVICE:
                _publish(ctx, w, location, _DEVICE, shared)
            if scope == _BLOCK or ctx.fenced[_BLOCK] != ctx.fenced[_DEVICE]:
                _publish(ctx, w, location, _BLOCK, shared)


@compiled
def _published(ctx: Any, location: int, shared: bool) -> int:
    """The last release at a location; 0 without one in this launch and, for shared memory, by this block."""
    number = load_i64(location) & _NUMBER
    if number == 0 or number > ctx.release_count:
        return 0
    release = release_at(ctx.releases, number)
    if release.location != location or (shared and release.block != ctx.block):
        return 0
    return number


@compiled
def _acquire(ctx: Any, w: int, location: int, scope: int, shared: bool) -> None:
    number = _published(ctx, location, shared)
    if number == 0:
        return
    last = load_i64(location) >> 32
    if 0 < last <= ctx.acquisition_count:
        known = acquisition_at(ctx.acquisition_log, last)
        if known.release == number and known.warp == w and known.block == ctx.block and known.scope == scope:
            return
    if ctx.acquisition_count >= MAX_ACQUISITIONS:
        ctx.log_is_full = 1
        return
    ctx.acquisition_count += 1
    acquisition = acquisition_at(ctx.acquisition_log, ctx.acquisition_count)
    acquisition.release = number
    acquisition.block = ctx.block
    acquisition.warp = w
    acquisition.scope = scope
    acquisition.stamp = ctx.stamp
    acquisition.next = ctx.acquired
    ctx.acquired = ctx.acquisition_count
    store_i64(location, number | (ctx.acquisition_count << 32))


@compiled
def _publish(ctx: Any, w: int, location: int, scope: int, shared: bool) -> None:
    """Log a release at a location, unless its last one says the same. It needs a fence of the block, in ``scope``."""
    if ctx.fenced[scope] == 0:
        return
    before = _published(ctx, location, shared)
    if before:
        known = release_at(ctx.releases, before)
        if known.block == ctx.block and known.warp == w and known.scope == scope:
            if known.stamp >= max(ctx.fenced[scope], ctx.since) and known.acquired == ctx.acquired:
                known.stamp = ctx.stamp
                return
            before = known.previous  # a later release of one warp covers all that its earlier ones do
    if ctx.release_count >= MAX_RELEASES:
        ctx.log_is_full = 1
        return
    ctx.release_count += 1
    release = release_at(ctx.releases, ctx.release_count)
    release.location = location
    release.block = ctx.block
    release.warp = w
    release.scope = scope
    release.stamp = ctx.stamp
    release.since = ctx.since
    release.acquired = ctx.acquired
    release.previous = before
    release.search = 0
    mine = warp_at(ctx.states, w)
    of_all = max(mine.fence_since[scope], ctx.released_before[scope])
    for other in range(ctx.warps):
        own = mine.fenced[scope] if other == w else warp_at(ctx.states, other).fenced_before[scope]
        ordered = mine.seen[other] if mine.fenced[scope] else 0
        release.covered[other] = max(of_all, own, ordered)
    store_i64(location, ctx.release_count)


@compiled
def is_released(ctx: Any, w: int, block: int, other: int, stamp: int, location: int) -> bool:
    """Whether warp ``w`` of the running block acquired what warp ``other`` of ``block`` did at ``stamp``.

    ``location`` is that of its address: the write that published a release is ordered like what it released.
    """
    if ctx.log_is_full or ctx.search_steps > _MOST_STEPS:
        return True
    ctx.search += 1
    pending = _search(ctx, ctx.acquired, w, ctx.since, ctx.block, block, other, stamp, location, 0)
    while pending > 0:
        release = release_at(ctx.releases, pending)
        pending = _search(
            ctx,
            release.acquired,
            release.warp,
            release.since,
            release.block,
            block,
            other,
            stamp,
            location,
            release.pending,
        )
    return pending == _FOUND


@compiled
def _search(
    ctx: Any,
    number: int,
    w: int,
    since: int,
    owner: int,
    block: int,
    other: int,
    stamp: int,
    location: int,
    pending: int,
) -> int:
    """Look for an access among the releases of acquisition ``number`` and earlier ones of the block ``owner``.

    Only those of warp ``w`` count, and others before the barrier at ``since``. Returns: ``_FOUND``, or the first of a
    list of releases that remain to be followed, in front of ``pending``.
    """
    while number > 0:
        ctx.search_steps += 1
        acquisition = acquisition_at(ctx.acquisition_log, number)
        if acquisition.warp == w or acquisition.stamp < since:
            each = acquisition.release
            while each > 0:
                release = release_at(ctx.releases, each)
                if release.search == ctx.search:
                    break
                ctx.search_steps += 1
                in_scope = release.scope == _DEVICE and acquisition.scope == _DEVICE
                if in_scope or release.block == owner:
                    release.search = ctx.search
                    published = release.location == location and release.warp == other
                    covered = release.covered[other] > stamp or (published and release.stamp >= stamp)
                    if (release.block == block and covered) or ctx.search_steps > _MOST_STEPS:
                        return _FOUND
                    release.pending = pending
                    pending = each
                each = release.previous
        number = acquisition.next
    return pending
