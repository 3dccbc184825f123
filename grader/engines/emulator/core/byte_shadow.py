"""Shadow words of single bytes, for memory that is accessed by bytes or halves.

Such memory has more planes. A narrow access splits a word: each of its bytes then has its own three planes, and the
bytes field of the first one is 1. A whole write joins them again.
"""

from typing import Any

from grader.engines.emulator.core.addresses import SHARED_WINDOW
from grader.engines.emulator.core.codes import WindowFlag
from grader.engines.emulator.core.host import load_i64, store_i64
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.shadow_words import BYTE_PLANES
from grader.engines.emulator.core.views import window_at

WORD = 4
"""Bytes of which one shadow word holds an access."""

WHOLE = 15
"""The bytes field of an access to a whole word."""

_HAS_BYTES = int(WindowFlag.NARROW)


@compiled
def byte_bits(address: int, size: int) -> int:
    """A mask of the bytes of a four-byte word that an access touches."""
    return WHOLE if size >= WORD else ((1 << size) - 1) << (address & 3)


@compiled
def is_narrow(ctx: Any, window: int) -> bool:
    """Whether the shadow has planes for single bytes."""
    if window == SHARED_WINDOW:
        return ctx.narrow_shared != 0
    return window_at(ctx.windows, window).flags & _HAS_BYTES != 0


@compiled
def byte_entry(entry: int, plane: int, byte: int) -> int:
    """The first of the three shadow words of one byte of a split word."""
    return entry if byte == 0 else entry + (BYTE_PLANES + 3 * (byte - 1)) * plane


@compiled
def split(entry: int, plane: int, size: int) -> bool:
    """Whether an access of ``size`` bytes goes byte by byte: it is narrow, or a narrow one split the word before."""
    held = load_i64(entry)
    if held & WHOLE == 1:
        return True
    if size >= WORD:
        return False
    for byte in range(3, -1, -1):
        of_byte = byte_entry(entry, plane, byte)
        for beside in range(3):
            word = load_i64(entry + beside * plane)
            store_i64(of_byte + beside * plane, word & ~WHOLE | (1 << byte))
    return True
