"""Where the buffers of plans lie in device memory. Both engines use this rule, so a kernel sees alike addresses."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from grader.model.plan import Buffer

GUARD_BYTES = 64 * 1024
"""Least size of a guard zone before, between and after buffers: enough to catch whole rows past an end."""

ALIGNMENT = 256
"""The alignment of ``cudaMalloc``: vector loads are as legal here as in a stand-alone program."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A guard zone in byte offsets, after buffer ``after`` and before ``before``; ``None`` at the outer ends."""

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
    """Byte offsets of buffers, by name and size, the guard zones, and the total size."""

    offsets: dict[tuple[str, int], int]
    zones: tuple[Zone, ...]
    size: int

    def offset(self, buffer: Buffer) -> int:
        """The offset of ``buffer``. Raises: ``KeyError`` where no buffer has its name and size."""
        return self.offsets[buffer.name, buffer.nbytes]


def lay_out(buffers: Iterable[Buffer]) -> Layout:
    """Lay out ``buffers`` in order, each aligned and with a guard zone on both sides.

    Buffers of the same name and size share their offset.
    """
    offsets: dict[tuple[str, int], int] = {}
    edges: list[tuple[int, int, str | None]] = [
        (0, 0, None)
    ]  # start, stop and name of the spans between guard zones
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


def _round_up(offset: int) -> int:
    return -(-offset // ALIGNMENT) * ALIGNMENT
