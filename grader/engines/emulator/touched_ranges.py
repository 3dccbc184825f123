"""The bytes that a launch read and wrote, from the shadow of an allocation.

The first plane of a shadow holds the last write to each word since the launch began or, without one, a read.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from grader.engines.emulator.core.byte_shadow import WHOLE, WORD
from grader.engines.emulator.core.codes import STRONG, WindowFlag
from grader.engines.emulator.core.shadow_words import (
    BYTE_PLANES,
    PC_MASK,
    PC_SHIFT,
    SHADOW_WRITE,
    STAMP_SHIFT,
)
from grader.engines.emulator.decode.program import Program
from grader.engines.emulator.memory_map import Region
from grader.engines.touched import Access, Ranges, Touched

MOST_RANGES = 1 << 16
"""Ranges of each kind that are kept of one launch and allocation; a regular pattern repeats within them."""

_CHUNK = 1 << 15
_BYTES = (0, *(BYTE_PLANES + 3 * byte for byte in range(WORD - 1)))
"""The first plane of each byte of a split word."""

_KINDS = (None, Access.READ, Access.WRITE, Access.STRONG_READ, Access.STRONG_WRITE)
_WRITE, _STRONG = 1, 2
_SAME = PC_MASK << PC_SHIFT | SHADOW_WRITE | WHOLE
"""The bits that decide about the kind of an access."""

_Words = NDArray[np.int64]
_Codes = NDArray[np.uint8]


def touched_ranges(region: Region, origin: int, before: int, program: Program) -> Touched | None:
    """What a launch of ``program`` touched of ``region``, which starts at address ``origin``.

    ``before`` is the stamp of the memory before the launch. ``None``: nothing, or its accesses are not tracked.
    """
    if region.shadow is None:
        return None
    words = -(-len(region.data) // WORD)
    shadow = region.shadow.view(np.int64)
    shadow = shadow[: len(shadow) // words * words].reshape(-1, words)
    is_strong = program.code["flags"] & int(STRONG) != 0
    is_narrow = bool(region.flags & WindowFlag.NARROW)
    planes = _BYTES if is_narrow else _BYTES[:1]
    found: dict[Access, list[Ranges]] = {}
    for first in range(0, words, _CHUNK):
        chunk = shadow[:, first : first + _CHUNK]
        if max(int(chunk[plane].max()) for plane in planes) >> STAMP_SHIFT <= before:
            continue
        for access, ranges in _ranges(chunk, before, is_strong, is_narrow=is_narrow):
            found.setdefault(access, []).append(ranges + (origin + first * WORD))
    if not found:
        return None
    return Touched({access: _joined(ranges)[:MOST_RANGES] for access, ranges in found.items()})


def _ranges(
    chunk: _Words, before: int, is_strong: NDArray[np.bool_], *, is_narrow: bool
) -> Iterator[tuple[Access, Ranges]]:
    """Byte offsets in a chunk; its rows are the planes of the shadow."""
    words = chunk[0]
    same = words & _SAME
    if (same == same[0]).all() and same[0] & WHOLE == WHOLE and int(words.min()) >> STAMP_SHIFT > before:
        kind = _KINDS[int(_codes(words[:1], before, is_strong)[0])]
        if kind is not None:
            yield kind, np.array([[0, len(words) * WORD]], np.int64)
        return
    codes = _codes(words, before, is_strong)
    if is_narrow and (words & WHOLE == 1).any():
        codes, size = _by_bytes(chunk, codes, before, is_strong), 1
    else:
        size = WORD
    edges = np.flatnonzero(np.diff(codes)) + 1
    starts = np.concatenate([[0], edges])
    ends = np.concatenate([edges, [len(codes)]])
    spans = np.stack([starts, ends], axis=1).astype(np.int64) * size
    for code in range(1, len(_KINDS)):
        chosen, kind = spans[codes[starts] == code], _KINDS[code]
        if kind is not None and len(chosen):
            yield kind, chosen


def _codes(words: _Words, before: int, is_strong: NDArray[np.bool_]) -> _Codes:
    """The index in ``_KINDS`` of what each shadow word holds of the launch."""
    is_new = words >> STAMP_SHIFT > before
    pc = np.minimum(words >> PC_SHIFT & PC_MASK, len(is_strong) - 1)
    kinds = 1 + _WRITE * (words & SHADOW_WRITE != 0) + _STRONG * is_strong[pc]
    codes: _Codes = np.where(is_new, kinds, 0).astype(np.uint8)
    return codes


def _by_bytes(chunk: _Words, codes: _Codes, before: int, is_strong: NDArray[np.bool_]) -> _Codes:
    """The codes of single bytes: those of a split word have shadow words of their own."""
    by_bytes = np.repeat(codes[:, None], WORD, axis=1)
    split = chunk[0] & WHOLE == 1
    for byte, plane in enumerate(_BYTES[1:], start=1):
        own = _codes(chunk[plane], before, is_strong)
        by_bytes[split, byte] = own[split]
    return by_bytes.reshape(-1)


def _joined(parts: list[Ranges]) -> Ranges:
    """One list of ranges in order; ranges that follow each other are one."""
    whole = np.concatenate(parts)
    starts = np.concatenate([[True], whole[1:, 0] != whole[:-1, 1]])
    ends = np.concatenate([starts[1:], [True]])
    return np.stack([whole[starts, 0], whole[ends, 1]], axis=1)
