"""The heap that ``malloc`` and ``free`` in kernels use; it lives as long as the plan.

Every allocation has a number. An array beside the heap holds it for each four-byte word of the allocation, negated
after ``free``; words between allocations have 0. Freed space is reused only when nothing else is left, to detect uses
after ``free``.
"""

from dataclasses import dataclass, field
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from grader.engines.emulator.arrays import aligned_bytes
from grader.engines.emulator.core.shadow_words import SHADOW_WORD_BYTES, WORD_SHADOW_PLANES
from grader.engines.emulator.ptx.syntax import Location
from grader.model.plan import POISON_BYTE

HEAP_BYTES = 8 << 20
"""Most bytes allocated at the same time: CUDA's default (``cudaLimitMallocHeapSize``)."""

_GRAIN = 16
ARENA_BYTES = 2 * HEAP_BYTES
"""Size of the window that allocations lie in, with gaps between them."""


class Release(Enum):
    """Outcome of a ``free``."""

    DONE = "done"
    AGAIN = "again"
    UNKNOWN = "unknown"


@dataclass(slots=True)
class Allocation:
    """Result of one ``malloc``: offset in the heap, requested bytes, and the lines of ``malloc`` and ``free``."""

    start: int
    size: int
    made: Location | None
    freed: Location | None = None
    is_live: bool = True

    @property
    def room(self) -> int:
        """Bytes that the allocation occupies in the heap."""
        return max(_GRAIN, -(-self.size // _GRAIN) * _GRAIN)


@dataclass(slots=True)
class Heap:
    """Allocations by number; ``data`` are the bytes, ``owners`` the numbers, ``shadow`` the tracked accesses."""

    data: NDArray[np.uint8]
    owners: NDArray[np.int32]
    shadow: NDArray[np.uint8] | None
    allocations: list[Allocation] = field(default_factory=list)
    _top: int = _GRAIN
    _used: int = 0
    _starts: dict[int, int] = field(default_factory=dict)

    @classmethod
    def empty(cls, shadow: NDArray[np.uint8] | None) -> "Heap":
        """An empty heap. ``shadow`` covers ``ARENA_BYTES``; it is ``None`` if accesses are not tracked."""
        return cls(aligned_bytes(ARENA_BYTES), aligned_bytes(ARENA_BYTES).view(np.int32), shadow)

    def allocate(self, size: int, made: Location | None) -> int | None:
        """The offset of ``size`` new bytes; ``None`` if the heap is exhausted."""
        allocation = Allocation(0, size, made)
        if size < 0 or self._used + allocation.room > HEAP_BYTES:
            return None
        start = self._find_room(allocation.room)
        if start is None:
            return None
        allocation.start = start
        self.allocations.append(allocation)
        self._starts[start] = len(self.allocations)
        self._used += allocation.room
        self.owners[start // 4 : start // 4 + -(-size // 4)] = len(self.allocations)
        self.data[start : start + allocation.room] = POISON_BYTE
        if self.shadow is not None:
            planes = self.shadow.reshape(WORD_SHADOW_PLANES, ARENA_BYTES // 4, SHADOW_WORD_BYTES)
            planes[:, start // 4 : (start + allocation.room) // 4] = 0
        return start

    def release(self, start: int, freed: Location | None) -> Release:
        """Free the allocation at offset ``start``, unless there is none or it is already freed."""
        number = self._starts.get(start)
        if number is None:
            return Release.UNKNOWN
        allocation = self.allocations[number - 1]
        if not allocation.is_live:
            return Release.AGAIN
        self.owners[start // 4 : start // 4 + -(-allocation.size // 4)] = -number
        self._used -= allocation.room
        allocation.is_live, allocation.freed = False, freed
        return Release.DONE

    def near(self, offset: int) -> Allocation | None:
        """The allocation at an offset, or the last one before it."""
        before = [start for start in self._starts if start <= offset]
        return self.allocations[self._starts[max(before)] - 1] if before else None

    def _find_room(self, room: int) -> int | None:
        """An offset for ``room`` bytes and a gap after them: unused space first, then freed space."""
        if self._top + room + _GRAIN <= ARENA_BYTES:
            start = self._top
            self._top += room + _GRAIN
            return start
        known = (self.allocations[number - 1] for number in self._starts.values())
        live = sorted((a.start, a.start + a.room + _GRAIN) for a in known if a.is_live)
        start = _GRAIN
        for first, behind in [*live, (ARENA_BYTES, ARENA_BYTES)]:
            if first - start >= room + _GRAIN:
                self._forget(start, first)
                return start
            start = behind
        return None

    def _forget(self, start: int, end: int) -> None:
        """Drop the records of freed allocations between two offsets."""
        self.owners[start // 4 : end // 4] = 0
        self._starts = {at: number for at, number in self._starts.items() if not start <= at < end}
