"""Counting what a warp's access costs: 32-byte sectors of global memory, wavefronts of shared memory."""

from typing import Any

from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.lanes import (
    PATTERN_ANY,
    PATTERN_ROW,
    PATTERN_UNIFORM,
    SCRATCH_PATTERN,
    load_i8,
    load_i64,
    popcount,
    store_i8,
    store_i64,
)
from grader.engines.emulator.core.views import traffic_at

_ALL = 0xFFFFFFFF
_BANK_COUNTS = 512
_BANK_WORDS = _BANK_COUNTS + 32
_LISTED = _BANK_WORDS + 32 * 32 * 8

TRAFFIC_SCRATCH_BYTES = _LISTED + 64 * 8
"""Scratch bytes that counting needs, from the start of the scratch area."""


@compiled
def _parts(size: int) -> int:
    """Pieces that the hardware serves one after another: a quarter warp of 16 bytes, a half of 8, else a whole."""
    if size > 8:  # noqa: PLR2004 - bytes per lane
        return 4
    return 2 if size > 4 else 1  # noqa: PLR2004 - bytes per lane


@compiled
def _sectors_of(ctx: Any, lanes: int, low: int, high: int) -> int:
    """Different sectors that the active lanes from ``low`` to ``high`` touch; elements never straddle sectors."""
    listed = ctx.scratch + _LISTED
    count = 0
    last = -1
    for lane in range(low, high):
        if not (lanes >> lane) & 1:
            continue
        sector = load_i64(ctx.scratch + 8 * lane) >> 5
        if sector == last:
            continue
        last = sector
        known = False
        if count > 0 and sector <= load_i64(listed + 8 * (count - 1)):
            for index in range(count):
                if load_i64(listed + 8 * index) == sector:
                    known = True
                    break
        if not known:
            # The list's last entry is its largest while sectors rise, so only a fall needs a search.
            position = count
            if count > 0 and sector < load_i64(listed + 8 * (count - 1)):
                store_i64(listed + 8 * count, load_i64(listed + 8 * (count - 1)))
                position = count - 1
            store_i64(listed + 8 * position, sector)
            count += 1
    return count


@compiled
def count_sectors(ctx: Any, pc: int, size: int, lanes: int) -> None:
    """Add one request of ``size`` bytes per lane to the instruction's global traffic."""
    pattern = load_i64(ctx.scratch + SCRATCH_PATTERN)
    first = load_i64(ctx.scratch)
    if pattern == PATTERN_UNIFORM:
        sectors = _parts(size) if lanes == _ALL else _sectors_in_parts(ctx, lanes, size)
    elif pattern == PATTERN_ROW and lanes == _ALL:
        parts = _parts(size)
        bytes_per_part = 32 * size // parts
        sectors = 0
        for part in range(parts):
            start = first + part * bytes_per_part
            sectors += ((start + bytes_per_part - 1) >> 5) - (start >> 5) + 1
    else:
        sectors = _sectors_in_parts(ctx, lanes, size)
    best = (popcount(lanes) * size + 31) // 32
    site = traffic_at(ctx.traffic, pc)
    site.requests += 1
    site.transactions += sectors
    site.ideal += min(best, sectors)


@compiled
def _sectors_in_parts(ctx: Any, lanes: int, size: int) -> int:
    parts = _parts(size)
    width = 32 // parts
    sectors = 0
    for part in range(parts):
        sectors += _sectors_of(ctx, lanes, part * width, (part + 1) * width)
    return sectors


@compiled
def _wavefronts_of(ctx: Any, lanes: int, low: int, high: int, words: int) -> int:
    """The most different words that one of 32 banks must deliver to the active lanes from ``low`` to ``high``."""
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
def count_wavefronts(ctx: Any, pc: int, size: int, lanes: int) -> None:
    """Add one request of ``size`` bytes per lane to the instruction's shared-memory traffic."""
    pattern = load_i64(ctx.scratch + SCRATCH_PATTERN)
    parts = _parts(size)
    site = traffic_at(ctx.traffic, pc)
    site.shared = 1
    site.requests += 1
    if pattern != PATTERN_ANY and lanes == _ALL:
        site.transactions += parts
        site.ideal += parts
        return
    width = 32 // parts
    words = (size + 3) >> 2
    for part in range(parts):
        low = part * width
        needed = _wavefronts_of(ctx, lanes, low, low + width, words)
        site.transactions += needed
        site.ideal += 1 if needed > 0 else 0
