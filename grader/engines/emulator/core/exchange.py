"""Track which values in shared memory one thread stores and another reads, as far as results are made of them.

Also counted are the threads that load from global memory for it, those that store results made of it, and the sectors
of global memory that warps would have to load to receive the values without shared memory. These count once for each
lane of the read, so that one lane that reads a tile alone counts as a 32nd of a warp.

Every four bytes of a block's shared memory have a word for the store that wrote them last: its instruction, counted
from 1, and its thread; 0 for none, or once another thread has read them. So the bytes of a store count once. A second
word has the sector that the value comes from: the n-th store of a thread is made of its n-th load, where it has more
loads than stores only of the last few.
"""

from typing import Any

from grader.engines.emulator.core.codes import Flow
from grader.engines.emulator.core.host import first_lane, load_i32, load_i64, popcount, store_i32, store_i64
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.lanes import SCRATCH_HIGHEST, SCRATCH_LOWEST, run_starts
from grader.engines.emulator.core.records import SOURCES
from grader.engines.emulator.core.views import instruction_at, traffic_at, warp_at

_STAGED, _STAGES = int(Flow.STAGED), int(Flow.STAGES)
_DELIVERS, _RECEIVES = int(Flow.DELIVERS), int(Flow.RECEIVES)
_LOAD, _STORE = 0, 1
_ALL = 0xFFFFFFFF
_NEAR = 512
"""Bytes up to which a look at all words of a range is faster than one at the word of each lane."""
_PC_SHIFT = 10
_THREAD = (1 << _PC_SHIFT) - 1
_SECTOR_SHIFT = 5
GATHER_SLOTS = 256
"""Slots for sectors that a read gathers; a power of two."""


@compiled
def _read(ctx: Any, offset: int, thread: int, others: bool) -> None:
    """Count a read by ``thread``, and by ``others`` or not, of the value at ``offset`` in shared memory."""
    entry = ctx.shared_writers + offset
    held = load_i32(entry)
    if held != 0 and (others or held & _THREAD != thread):
        traffic_at(ctx.traffic, (held >> _PC_SHIFT) - 1).exchanged += 4
        store_i32(entry, 0)
        _gather(ctx, load_i32(ctx.shared_sources + offset))


@compiled
def _gather(ctx: Any, source: int) -> None:
    """Count a sector once unless the running read has already received a value from it."""
    sector = source & _ALL
    slot = ctx.gathered_last + 8 * ((sector ^ (sector >> 8) ^ (sector >> 16)) & (GATHER_SLOTS - 1))
    mark = (ctx.gathers << 32) | sector
    if load_i64(slot) != mark:
        store_i64(slot, mark)
        ctx.gathered += 1


@compiled
def _weigh(ctx: Any, before: int, lanes: int) -> None:
    """Count the sectors of a read by ``lanes``, those since ``before``, once for each of them."""
    ctx.gathered += (ctx.gathered - before) * (popcount(lanes) - 1)


@compiled
def _source(ctx: Any, w: int, lane: int) -> int:
    """The sector of the load of which the next value is made that the lane stores in shared memory."""
    warp = warp_at(ctx.states, w)
    number = min(max(warp.kept[lane], warp.fetches[lane] - SOURCES), warp.fetches[lane] - 1)
    warp.kept[lane] = number + 1
    return int(warp.sources[(number & (SOURCES - 1)) * 32 + lane])


@compiled
def _keep(ctx: Any, w: int, lane: int, offset: int, size: int, tag: int) -> None:
    """Record that a lane stores ``size`` bytes at ``offset`` in shared memory."""
    source = _source(ctx, w, lane) if tag else 0
    for word in range(0, size, 4):
        store_i32(ctx.shared_writers + offset + word, tag | w * 32 + lane if tag else 0)
        store_i32(ctx.shared_sources + offset + word, source)


@compiled
def _nothing_held(ctx: Any, size: int) -> bool:
    """Whether no word from the lowest to the highest address of an access is held; False proves nothing.

    Lanes out of bounds do not take part, but their addresses are among the lowest and highest, which are unsigned.
    """
    low = load_i64(ctx.scratch + SCRATCH_LOWEST) - ctx.shadow_origin
    high = load_i64(ctx.scratch + SCRATCH_HIGHEST) - ctx.shadow_origin + size - 1
    if low < 0 or high < low or high >= ctx.shared_bytes or high - low > _NEAR:
        return False
    first, last = ctx.shared_writers + (low & ~3), ctx.shared_writers + (high & ~3)
    held = load_i32(last)
    for pair in range(first, last, 8):
        held |= load_i64(pair)
    return held == 0


@compiled
def _deliver(ctx: Any, w: int, size: int, lanes: int) -> None:
    """Count the values that a load of ``size`` bytes delivers; a run of lanes at one address reads them once."""
    starts = run_starts(ctx.scratch, lanes, 0)
    followed = (lanes & ~starts) >> 1
    while starts:
        lane = first_lane(starts)
        starts &= starts - 1
        offset = (load_i64(ctx.scratch + 8 * lane) - ctx.shadow_origin) & ~3
        for word in range(0, size, 4):
            _read(ctx, offset + word, w * 32 + lane, (followed >> lane) & 1 != 0)


@compiled
def track_exchange(ctx: Any, w: int, pc: int, lanes: int, kind: int) -> None:
    """Record an access to shared memory by ``lanes`` of warp ``w``; the addresses are in the scratch area."""
    flow = traffic_at(ctx.traffic, pc).flow
    reads = kind != _STORE and flow & _DELIVERS
    if kind == _LOAD and not reads:
        return
    ins = instruction_at(ctx.code, pc)
    size = int(ins.width) * int(ins.count)
    if kind == _LOAD and _nothing_held(ctx, size):
        return
    ctx.gathers += 1
    before = ctx.gathered
    if kind == _LOAD:
        _deliver(ctx, w, size, lanes)
        _weigh(ctx, before, lanes)
        return
    tag = (pc + 1) << _PC_SHIFT if flow & _STAGES else 0
    for lane in range(32):
        if not (lanes >> lane) & 1:
            continue
        offset = (load_i64(ctx.scratch + 8 * lane) - ctx.shadow_origin) & ~3
        if reads:
            for word in range(0, size, 4):
                _read(ctx, offset + word, w * 32 + lane, others=False)
        _keep(ctx, w, lane, offset, size, tag)
    _weigh(ctx, before, lanes)


@compiled
def track_loads(ctx: Any, w: int, pc: int, size: int, lanes: int) -> None:
    """Add to the bytes that each thread loads from global memory for shared memory, and remember their sectors."""
    if traffic_at(ctx.traffic, pc).flow & _STAGED:
        warp = warp_at(ctx.states, w)
        for lane in range(32):
            if (lanes >> lane) & 1:
                warp.staged[lane] += size
                number = warp.fetches[lane]
                warp.sources[(number & (SOURCES - 1)) * 32 + lane] = (
                    load_i64(ctx.scratch + 8 * lane) >> _SECTOR_SHIFT
                )
                warp.fetches[lane] = number + 1


@compiled
def track_results(ctx: Any, w: int, pc: int, lanes: int) -> None:
    """Record the threads that store in global memory what is made of shared memory."""
    if traffic_at(ctx.traffic, pc).flow & _RECEIVES:
        warp_at(ctx.states, w).receivers |= lanes


@compiled
def start_tracking(ctx: Any, w: int) -> None:
    """Begin a block's warp ``w``."""
    warp = warp_at(ctx.states, w)
    warp.receivers = 0
    for lane in range(32):
        warp.staged[lane] = 0
        warp.fetches[lane] = 0
        warp.kept[lane] = 0


@compiled
def sum_up_threads(ctx: Any) -> None:
    """Add the threads of the running block, which has ended, to those of the launch."""
    staged, most = 0, 0
    for w in range(ctx.warps):
        warp = warp_at(ctx.states, w)
        ctx.receivers += popcount(warp.receivers)
        for lane in range(32):
            staged += warp.staged[lane]
            most = max(most, warp.staged[lane])
    if most > 0:
        ctx.loaders += staged // most
