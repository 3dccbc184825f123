"""Count the cost of a warp's access: 32-byte sectors of global memory, wavefronts of shared memory, atomic passes.

The rules match Nsight Compute on an H200. A global access of any width costs the number of distinct sectors, and of
distinct 128-byte lines of the L1, over the whole warp. Shared accesses of 8 bytes are served by half warps and of 16
bytes by quarters; loads join two neighbouring parts in which lanes ``i`` and ``i ^ 1``, or ``i`` and ``i ^ 2``, read
one address throughout. Each part takes as many wavefronts as the busiest of the 32 banks has distinct words to
deliver.

Useful are the bytes that lanes receive, where several lanes may share one, or the different bytes that they write.

Whole warps in common patterns are counted by vector operations, everything else lane by lane.
"""

from typing import Any

from grader.engines.emulator.core.host import load_i8, load_i64, load_u8, popcount, store_i8, store_i64
from grader.engines.emulator.core.jit import EntryPoint, compiled
from grader.engines.emulator.core.lanes import (
    PATTERN_ROW,
    PATTERN_UNIFORM,
    SCRATCH_HIGHEST,
    SCRATCH_LOWEST,
    SCRATCH_PATTERN,
    lane_bits,
    lane_steps,
)
from grader.engines.emulator.core.traffic_records import ATOMIC_WORDS, MAX_SAMPLES
from grader.engines.emulator.core.views import sample_at, traffic_at

_ALL = 0xFFFFFFFF
_SECTOR_SHIFT = 5
_SECTOR_BYTES = 1 << _SECTOR_SHIFT
_LINE_SHIFT = 7
_WORD_SHIFT = ATOMIC_WORDS.bit_length() - 1
_BANKS = 32
_WORD_BITS = 64
_FIRST_SAMPLES = 2
_COSTLY_SAMPLES = 4
"""Number of samples kept for an instruction: of its first accesses, and of the first above the ideal cost."""

_BANK_COUNTS = 512
_BANK_WORDS = _BANK_COUNTS + 32
_LISTED = _BANK_WORDS + 32 * 32 * 8

TRAFFIC_SCRATCH_BYTES = _LISTED + 64 * 8
"""Bytes at the start of the scratch area that counting uses."""


@compiled
def _listed(ctx: Any, lanes: int, shift: int) -> int:
    """The number of distinct units of ``1 << shift`` bytes that active lanes touch. Elements never straddle units."""
    listed = ctx.scratch + _LISTED
    count = 0
    last = -1
    for lane in range(32):
        if not (lanes >> lane) & 1:
            continue
        unit = load_i64(ctx.scratch + 8 * lane) >> shift
        if unit == last:
            continue
        last = unit
        known = False
        for index in range(count):
            if load_i64(listed + 8 * index) == unit:
                known = True
                break
        if not known:
            store_i64(listed + 8 * count, unit)
            count += 1
    return count


@compiled
def _units(ctx: Any, size: int, lanes: int, shift: int) -> int:
    """The same as ``_listed``, with vector operations if the pattern allows it."""
    pattern = load_i64(ctx.scratch + SCRATCH_PATTERN)
    if pattern == PATTERN_UNIFORM:
        return 1
    first = load_i64(ctx.scratch)
    if pattern == PATTERN_ROW and lanes == _ALL:
        return ((first + 32 * size - 1) >> shift) - (first >> shift) + 1
    lowest = load_i64(ctx.scratch + SCRATCH_LOWEST) >> shift
    if (load_i64(ctx.scratch + SCRATCH_HIGHEST) >> shift) - lowest < _WORD_BITS:
        return popcount(lane_bits(ctx.scratch, shift, lowest, _WORD_BITS, lanes))
    if lanes == _ALL:
        steps = lane_steps(ctx.scratch, shift)
        if steps >= 0:
            return popcount(steps) + 1
    return _listed(ctx, lanes, shift)


@compiled
def _stored_bytes(ctx: Any, size: int, lanes: int) -> int:
    """The number of different bytes that a store of ``size`` bytes per lane writes."""
    if load_i64(ctx.scratch + SCRATCH_PATTERN) == PATTERN_ROW:
        return popcount(lanes) * size
    shift = 0
    while 1 << shift < size:
        shift += 1
    return _units(ctx, size, lanes, shift) * size


@compiled
def count_sectors(ctx: Any, pc: int, size: int, lanes: int, window: int, store: bool) -> None:
    """Add one request of ``size`` bytes per lane to the instruction's global traffic, which is in ``window``."""
    sectors = _units(ctx, size, lanes, _SECTOR_SHIFT)
    best = (popcount(lanes) * size + 31) // 32
    site = traffic_at(ctx.traffic, pc)
    site.requests += 1
    site.cache_lines += 1 if sectors == 1 else _units(ctx, size, lanes, _LINE_SHIFT)
    site.transactions += sectors
    site.ideal += min(best, sectors)
    moved = sectors * _SECTOR_BYTES
    useful = min(_stored_bytes(ctx, size, lanes) if store else popcount(lanes) * size, moved)
    site.useful += useful
    if not store and load_i64(ctx.scratch + SCRATCH_PATTERN) == PATTERN_UNIFORM:
        site.repeated += useful - size
    if site.requests == 1:
        site.array = window


@compiled
def _wavefronts_of(ctx: Any, lanes: int, low: int, high: int, words: int) -> int:
    """The largest number of distinct words that one bank must deliver to the active lanes from ``low`` to ``high``."""
    counts = ctx.scratch + _BANK_COUNTS
    listed = ctx.scratch + _BANK_WORDS
    for bank in range(4):
        store_i64(counts + 8 * bank, 0)
    most = 0
    for lane in range(low, high):
        if not (lanes >> lane) & 1:
            continue
        first = load_i64(ctx.scratch + 8 * lane) >> 2
        for word in range(first, first + words):
            bank = word & 31
            held = load_i8(counts + bank)
            known = False
            for index in range(held):
                if load_i64(listed + (bank * 32 + index) * 8) == word:
                    known = True
                    break
            if not known:
                store_i64(listed + (bank * 32 + held) * 8, word)
                store_i8(counts + bank, held + 1)
                most = max(most, held + 1)
    return most


@compiled
def _is_free(ctx: Any, lanes: int) -> bool:
    """Whether vector operations prove that 4-byte accesses have no bank conflict; False proves nothing."""
    lowest = load_i64(ctx.scratch + SCRATCH_LOWEST) >> 2
    if (load_i64(ctx.scratch + SCRATCH_HIGHEST) >> 2) - lowest < _BANKS:
        return True
    banks = popcount(lane_bits(ctx.scratch, 2, 0, _BANKS, lanes))
    if banks == popcount(lanes):
        return True
    steps = lane_steps(ctx.scratch, 2)
    return lanes == _ALL and steps >= 0 and banks == popcount(steps) + 1


@compiled
def _pairs_agree(ctx: Any, lanes: int, low: int, high: int, distance: int) -> bool:
    """Whether every two active lanes ``i`` and ``i ^ distance`` from ``low`` to ``high`` have the same address."""
    for lane in range(low, high):
        other = lane ^ distance
        if (lanes >> lane) & (lanes >> other) & 1 and load_i64(ctx.scratch + 8 * lane) != load_i64(
            ctx.scratch + 8 * other
        ):
            return False
    return True


@compiled
def _count_parts(ctx: Any, site: Any, lanes: int, low: int, high: int, words: int) -> None:
    needed = _wavefronts_of(ctx, lanes, low, high, words)
    site.transactions += needed
    site.ideal += 1 if needed > 0 else 0


@compiled
def _count_wide(ctx: Any, site: Any, size: int, lanes: int, load: bool) -> None:
    """Wavefronts of an 8- or 16-byte access, served by halves or quarters of a warp; a load may join two of these."""
    width = 128 // size
    words = size >> 2
    for low in range(0, 32, 2 * width):
        high = low + 2 * width
        joined = load and (_pairs_agree(ctx, lanes, low, high, 1) or _pairs_agree(ctx, lanes, low, high, 2))
        if joined:
            _count_parts(ctx, site, lanes, low, high, words)
        else:
            _count_parts(ctx, site, lanes, low, low + width, words)
            _count_parts(ctx, site, lanes, low + width, high, words)


@compiled
def _shared_array(ctx: Any) -> int:
    """The number of the shared array of the access, from 1; 0 if it has none, as outside a launch."""
    offset = load_i64(ctx.scratch + SCRATCH_LOWEST) - ctx.shadow_origin
    return load_u8(ctx.shared_owner + (offset >> 2)) if 0 <= offset < ctx.shared_bytes else 0


@compiled
def count_wavefronts(ctx: Any, pc: int, size: int, lanes: int, load: bool) -> None:
    """Add one request of ``size`` bytes per lane to the instruction's shared-memory traffic."""
    site = traffic_at(ctx.traffic, pc)
    site.shared = 1
    site.requests += 1
    site.useful += popcount(lanes) * size
    if site.requests == 1:
        site.array = _shared_array(ctx)
    if size > 4:
        _count_wide(ctx, site, size, lanes, load)
    elif _is_free(ctx, lanes):
        site.transactions += 1
        site.ideal += 1
    else:
        _count_parts(ctx, site, lanes, 0, 32, 1)


@compiled
def count_atomic_passes(ctx: Any, pc: int, lanes: int) -> None:
    """Add the largest number of ``lanes`` with one address to an atomic's passes, which run one after the other."""
    pattern = load_i64(ctx.scratch + SCRATCH_PATTERN)
    most = 1
    if pattern == PATTERN_UNIFORM:
        most = popcount(lanes)
    elif pattern != PATTERN_ROW:
        for lane in range(32):
            if not (lanes >> lane) & 1:
                continue
            same = 0
            for other in range(lane, 32):
                if (lanes >> other) & 1:
                    same += load_i64(ctx.scratch + 8 * lane) == load_i64(ctx.scratch + 8 * other)
            most = max(most, same)
    traffic_at(ctx.traffic, pc).passes += most


@compiled
def count_atomic_words(ctx: Any, lanes: int) -> None:
    """Count one atomic of each of ``lanes`` for its word of global memory."""
    for lane in range(32):
        if (lanes >> lane) & 1:
            word = load_i64(ctx.scratch + 8 * lane) >> 2
            count = ctx.atomic_words + 8 * ((word ^ (word >> _WORD_SHIFT)) & (ATOMIC_WORDS - 1))
            store_i64(count, load_i64(count) + 1)


@compiled
def keep_sample(ctx: Any, pc: int, size: int, lanes: int) -> None:
    """Keep the addresses of the last counted access if it is among the first, or the first above the ideal cost."""
    site = traffic_at(ctx.traffic, pc)
    cost, ideal = site.transactions - site.seen, site.ideal - site.seen_ideal
    site.seen = site.transactions
    site.seen_ideal = site.ideal
    costly = cost > ideal and site.costly_samples < _COSTLY_SAMPLES
    if (site.samples >= _FIRST_SAMPLES and not costly) or ctx.sample_count >= MAX_SAMPLES:
        return
    site.samples += 1
    site.costly_samples += costly
    sample = sample_at(ctx.samples, ctx.sample_count)
    ctx.sample_count += 1
    sample.pc = pc
    sample.size = size
    sample.lanes = lanes
    sample.cost = cost
    for lane in range(32):
        sample.addresses[lane] = load_i64(ctx.scratch + 8 * lane)


@EntryPoint
def replay_conflicts(contexts: Any, lanes: int, size: int, load: bool) -> None:
    """Count a shared access outside any launch: addresses in the scratch area, result in the first traffic record."""
    count_wavefronts(contexts[0], 0, size, lanes, load)
