"""Device memory for drawn blocks at full size: buffers lie as on a GPU, and only touched pages take memory."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.engines.arena_layout import lay_out
from grader.engines.emulator.arrays import aligned_records
from grader.engines.emulator.core.addresses import (
    ARENA_GRAIN_BITS,
    ARENA_WINDOW,
    ARENA_WINDOWS,
    WINDOW_BITS,
)
from grader.engines.emulator.core.codes import WindowFlag
from grader.engines.emulator.memory_map import DeviceMemory, Region, shadow_bytes, shadow_for
from grader.engines.emulator.touched_pages import TouchedPages
from grader.model.block_sample import BufferPiece, ByteRange
from grader.model.plan import Buffer, LaunchPlan, Role

MAX_SHADOW_BYTES = 7 << 28
"""Address space for the shadows of all buffers. A buffer that would exceed it has none, and its races are not found."""

_ALLOCATION_BITS = 21
"""``cudaMalloc`` places large allocations at multiples of 2 MiB."""


class SampledMemory(DeviceMemory):
    """Buffers in one arena at a drawn address, with the gaps that the arenas of a GPU have.

    They are zero where no piece covers them. No read counts as uninitialised: other blocks of an earlier launch would
    have written the value.
    """

    def __init__(self, plan: LaunchPlan, pieces: Sequence[BufferPiece], *, seed: int, track: bool) -> None:
        """``track``: keep shadows for the diagnosis. Raises: ``OSError``, ``MemoryError`` for a lack of memory."""
        self._layout = lay_out(plan.buffers)
        draw = random.Random(seed)  # noqa: S311 - a reproducible address, no secret
        room = (1 << WINDOW_BITS) - self._layout.size >> _ALLOCATION_BITS
        self._arena_window = ARENA_WINDOW + draw.randrange(ARENA_WINDOWS)
        offset = draw.randrange(max(1, room)) << _ALLOCATION_BITS
        self._base = (self._arena_window << WINDOW_BITS) + offset
        self._pages: dict[str, TouchedPages] = {}
        self._pieces = pieces
        self._shadow_room = MAX_SHADOW_BYTES
        super().__init__(plan, {}, track=track)
        self._origins = {
            number: self._base + self._layout.offset(plan.buffer(name))
            for name, number in self._buffers.items()
        }

    def origin(self, window: int) -> int:
        """See the base class."""
        return self._origins.get(window) or super().origin(window)

    def windows(self, parameter_window: int, parameters: NDArray[np.uint8]) -> NDArray[Any]:
        """See the base class."""
        table = super().windows(parameter_window, parameters)
        self._grains = aligned_records(np.dtype(np.int32), (self._layout.size >> ARENA_GRAIN_BITS) + 1)
        for number, origin in self._origins.items():
            first = origin - self._base
            last = max(first, first + len(self.regions[number].data) - 1)
            self._grains[first >> ARENA_GRAIN_BITS : (last >> ARENA_GRAIN_BITS) + 1] = number
        arena = Region("the arena", self._grains.view(np.uint8), int(WindowFlag.ARENA))
        _, _, host, shadow, flags = arena.window(self._base)
        table[self._arena_window] = (self._base, self._layout.size, host, shadow, flags)
        return table

    def missing(self) -> tuple[ByteRange, ...]:
        """The touched bytes that no piece covers. Raises: ``OSError`` where they are unknown."""
        return tuple(
            ByteRange(buffer=name, start=start, stop=stop)
            for name, pages in self._pages.items()
            for start, stop in pages.missing()
        )

    def free(self) -> None:
        """Give the memory of all buffers back at once: the next sample may need the address space."""
        self.regions.clear()
        self._pages.clear()

    def _region(self, buffer: Buffer, _inputs: Mapping[str, bytes]) -> Region:
        self._pages[buffer.name] = pages = TouchedPages(buffer.nbytes)
        for piece in self._pieces:
            if piece.buffer == buffer.name:
                pages.fill(piece.start, piece.data)
        flags = WindowFlag.INPUT if buffer.role is Role.INPUT else 0
        return Region(buffer.name, pages.data, int(flags), self._shadow(buffer))

    def _shadow(self, buffer: Buffer) -> NDArray[np.uint8] | None:
        if not self._track or buffer.role is Role.INPUT or shadow_bytes(buffer.nbytes) > self._shadow_room:
            return None
        self._shadow_room -= shadow_bytes(buffer.nbytes)
        return shadow_for(buffer.nbytes)
