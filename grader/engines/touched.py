"""Bytes that a piece of work reads and writes, as ranges of addresses."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Ranges = NDArray[np.int64]
"""Rows of a first address and the address behind the last, in order; they do not overlap."""


class Access(Enum):
    """How bytes are accessed. Strong accesses are atomic or volatile: the memory model lets two of them meet."""

    READ = auto()
    WRITE = auto()
    STRONG_READ = auto()
    STRONG_WRITE = auto()


_CLASHES = (
    (Access.WRITE, tuple(Access)),
    (Access.STRONG_WRITE, (Access.READ, Access.WRITE)),
    (Access.READ, (Access.WRITE, Access.STRONG_WRITE)),
    (Access.STRONG_READ, (Access.WRITE,)),
)
"""For each kind of access those that must not meet it without an order."""

_WRITES = frozenset({Access.WRITE, Access.STRONG_WRITE})


@dataclass(frozen=True, slots=True)
class Clash:
    """Two accesses of one address. ``writes`` and ``other_writes`` say which of the two write."""

    address: int
    writes: bool
    other_writes: bool


@dataclass(frozen=True)
class Touched:
    """The ranges of each kind of access, within one allocation."""

    ranges: Mapping[Access, Ranges]

    @cached_property
    def start(self) -> int:
        """The lowest address."""
        return min((int(each[0, 0]) for each in self.ranges.values() if len(each)), default=0)

    @cached_property
    def end(self) -> int:
        """The address behind the highest."""
        return max((int(each[-1, 1]) for each in self.ranges.values() if len(each)), default=0)

    @classmethod
    def whole(cls, start: int, size: int, access: Access) -> "Touched":
        """One range."""
        return cls({access: np.array([[start, start + size]], np.int64)})

    @classmethod
    def rows(cls, start: int, width: int, rows: int, pitch: int, access: Access) -> "Touched":
        """Rows of ``width`` bytes, ``pitch`` bytes apart."""
        if rows == 1 or width == pitch:
            return cls.whole(start, width * rows, access)
        first = start + pitch * np.arange(rows, dtype=np.int64)
        return cls({access: np.stack([first, first + width], axis=1)})

    def clash(self, other: "Touched") -> Clash | None:
        """Where accesses of the two must not meet without an order, and do; ``None`` if nowhere."""
        if self.end <= other.start or other.end <= self.start:
            return None
        for mine, others in _CLASHES:
            for theirs in others:
                if mine in self.ranges and theirs in other.ranges:
                    address = _common(self.ranges[mine], other.ranges[theirs])
                    if address is not None:
                        return Clash(address, mine in _WRITES, theirs in _WRITES)
        return None


def _common(ours: Ranges, theirs: Ranges) -> int | None:
    """The first address in both."""
    if not (len(ours) and len(theirs)):
        return None
    first = np.searchsorted(
        theirs[:, 1], ours[:, 0], side="right"
    )  # the first of theirs that ends behind each
    reached = np.minimum(first, len(theirs) - 1)
    meets = (first < len(theirs)) & (theirs[reached, 0] < ours[:, 1])
    if not meets.any():
        return None
    index = int(meets.argmax())
    return int(max(ours[index, 0], theirs[first[index], 0]))
