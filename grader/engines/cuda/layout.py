"""Where buffers and the guard zones around them lie in one piece of device memory."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from grader.model.plan import Buffer

GUARD_BYTES = 64 * 1024
"""Least size of the zone before, between and after buffers: it catches whole rows written past an end."""

ALIGNMENT = 256
"""What ``cudaMalloc`` promises, so that vector loads are as legal here as in a program of the student's own."""

GUARD_WORD = 0xFFF9FAFB
"""Fills the guard zones. It is a NaN as one float and as half of a double, so reading past an end shows in the
output; and no NaN that arithmetic produces, nor any small number, so writing past an end shows in the guard."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A guard zone, as byte offsets. ``after`` and ``before`` name its neighbours, ``None`` at the outer ends."""

    start: int
    stop: int
    after: str | None
    before: str | None

    @property
    def size(self) -> int:
        """Bytes."""
        return self.stop - self.start


@dataclass(frozen=True, slots=True)
class Layout:
    """Byte offsets of buffers, by name and size, and of guard zones, and the size of the whole."""

    offsets: dict[tuple[str, int], int]
    zones: tuple[Zone, ...]
    size: int

    def offset(self, buffer: Buffer) -> int:
        """Where ``buffer`` lies. Raises: ``KeyError`` where there is none of its name and size."""
        return self.offsets[buffer.name, buffer.nbytes]


def lay_out(buffers: Iterable[Buffer]) -> Layout:
    """SourceLocation ``buffers`` in their order, every one aligned and with a guard zone on both sides.

    Those of one name and size lie in one place.
    """
    offsets: dict[tuple[str, int], int] = {}
    edges: list[tuple[int, int, str | None]] = [(0, 0, None)]  # start, stop and name of what is no guard
    for name, nbytes in dict.fromkeys((buffer.name, buffer.nbytes) for buffer in buffers):
        start = _round_up(edges[-1][1] + GUARD_BYTES)
        offsets[name, nbytes] = start
        edges.append((start, start + nbytes, name))
    size = _round_up(edges[-1][1] + GUARD_BYTES)
    edges.append((size, size, None))
    zones = tuple(
        Zone(start=left_stop, stop=right_start, after=left, before=right)
        for (_, left_stop, left), (right_start, _, right) in pairwise(edges)
    )
    return Layout(offsets=offsets, zones=zones, size=size)


def guard_bytes(zone: Zone) -> bytes:
    """What an untouched ``zone`` holds. The pattern is laid out from its start."""
    return _guard_bytes(zone.size)


@lru_cache(maxsize=64)
def _guard_bytes(size: int) -> bytes:
    words = -(-size // 4)
    return np.full(words, GUARD_WORD, "<u4").tobytes()[:size]


def damage(zone: Zone, found: bytes) -> str | None:
    """In a student's words, what was written into ``zone`` where ``found`` is its content; ``None`` if nothing was."""
    expected = guard_bytes(zone)
    if found == expected:
        return None
    changed = np.flatnonzero(np.frombuffer(found, np.uint8) != np.frombuffer(expected, np.uint8))
    first, last = int(changed[0]), int(changed[-1])
    from_end = zone.size - 1 - last
    if zone.after is not None and (zone.before is None or first <= from_end):
        return f"it wrote past the end of {zone.after}, {_distance(first)} behind its last element"
    return f"it wrote before the start of {zone.before}, {_distance(from_end)} in front of its first element"


def _distance(count: int) -> str:
    return f"{count} byte{'s' if count > 1 else ''}" if count else "right"


def _round_up(offset: int) -> int:
    return -(-offset // ALIGNMENT) * ALIGNMENT
