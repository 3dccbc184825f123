"""Device memory for buffers that several plans share, with guard zones around each buffer."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from grader.engines.arena_layout import Zone, lay_out
from grader.engines.cuda import transfer
from grader.engines.cuda.status import checked
from grader.model.plan import Buffer, LaunchPlan
from grader.model.reason import Reason, reason

GUARD_WORD = 0xFFF9FAFB
"""Fills the guard zones. As a float and as half of a double it is a NaN, so a read past an end shows in the output.
Arithmetic never produces this NaN, and it is no small number, so a write past an end shows in the guard."""


def guard_bytes(zone: Zone) -> bytes:
    """The content of an intact ``zone``; the pattern begins at its start."""
    return _guard_bytes(zone.size)


@lru_cache(maxsize=64)
def _guard_bytes(size: int) -> bytes:
    words = -(-size // 4)
    return np.full(words, GUARD_WORD, "<u4").tobytes()[:size]


def zone_damage(zone: Zone, found: bytes) -> Reason | None:
    """What was written into ``zone``, which contains ``found``; ``None`` if it is intact."""
    expected = guard_bytes(zone)
    if found == expected:
        return None
    changed = np.flatnonzero(np.frombuffer(found, np.uint8) != np.frombuffer(expected, np.uint8))
    first, last = int(changed[0]), int(changed[-1])
    from_end = zone.size - 1 - last
    if zone.after is not None and (zone.before is None or first <= from_end):
        distance = _distance(first, "right-behind-last-element", "behind-last-element")
        return reason("guard-past-end", buffer=zone.after, distance=distance)
    distance = _distance(from_end, "right-before-first-element", "before-first-element")
    return reason("guard-before-start", buffer=zone.before, distance=distance)


def _distance(count: int, none: str, some: str) -> Reason:
    """The statement ``none``, or ``some`` about that many bytes."""
    return reason(some, bytes=reason("bytes", count=count)) if count else reason(none)


class Arena:
    """One device allocation for the buffers of ``plans``, of which one at a time is launched.

    Buffers of one name and size have the same address in all plans. An address can change a kernel's time by a
    percent, which must not favour one side of a comparison.

    Raises (every method): as ``status.checked``.
    """

    def __init__(self, cupy: Any, plans: Sequence[LaunchPlan]) -> None:
        """Allocate it. Neither buffers nor guard zones are written yet."""
        self._cupy = cupy
        self._runtime = cupy.cuda.runtime
        self._layout = lay_out(buffer for plan in plans for buffer in plan.buffers)
        with checked(cupy):
            self._base: int = self._runtime.malloc(self._layout.size)

    @property
    def nbytes(self) -> int:
        """Its size, guard zones included."""
        return self._layout.size

    def address(self, buffer: Buffer) -> int:
        """The device address of ``buffer``. Raises: ``KeyError`` where no plan has a buffer of its name and size."""
        return self._base + self._layout.offset(buffer)

    def guard(self) -> None:
        """Write the guard zones."""
        for zone in self._layout.zones:
            transfer.write(self._cupy, self._base + zone.start, guard_bytes(zone))

    def damage(self) -> Reason | None:
        """The first write outside the buffers; ``None`` if there was none."""
        found = (transfer.read(self._cupy, self._base + zone.start, zone.size) for zone in self._layout.zones)
        reports = map(zone_damage, self._layout.zones, found)
        return next((report for report in reports if report is not None), None)

    def close(self) -> None:
        """Wipe the memory, so that no later kernel finds an output in it, and free it."""
        with checked(self._cupy):
            self._runtime.memset(self._base, 0, self._layout.size)
            self._runtime.free(self._base)


class Arenas:
    """Any number of arenas for the same ``plans``. Raises (every method): as ``status.checked``."""

    def __init__(self, cupy: Any, plans: Sequence[LaunchPlan]) -> None:
        """Start without arenas."""
        self._cupy = cupy
        self._plans = plans
        self._arenas: list[Arena] = []

    def add(self) -> Arena:
        """Add an arena and write its guard zones."""
        arena = Arena(self._cupy, self._plans)
        self._arenas.append(arena)
        arena.guard()
        return arena

    def guard(self) -> None:
        """Write the guard zones of all arenas."""
        for arena in self._arenas:
            arena.guard()

    def damage(self) -> Reason | None:
        """The first ``Arena.damage`` of any arena."""
        return next((found for arena in self._arenas if (found := arena.damage()) is not None), None)

    def close(self) -> None:
        """Wipe and free all arenas."""
        for arena in self._arenas:
            arena.close()
