"""Device memory in which the buffers of several plans share their places, each of them between guards."""

from collections.abc import Sequence
from typing import Any

from grader.engines.cuda import transfer
from grader.engines.cuda.layout import damage, guard_bytes, lay_out
from grader.engines.cuda.status import checked
from grader.model.plan import Buffer, LaunchPlan


class Arena:
    """One piece of device memory for the buffers of ``plans``, of which one at a time is launched.

    Buffers of one name and size have one address in all plans: where in the memory a kernel's arrays lie is worth a
    percent of its time at worst, and must favour none of two that are compared.

    Raises (every method): as ``status.checked``.
    """

    def __init__(self, cupy: Any, plans: Sequence[LaunchPlan]) -> None:
        """Nothing is in it yet, not even the guards."""
        self._cupy = cupy
        self._runtime = cupy.cuda.runtime
        self._layout = lay_out(buffer for plan in plans for buffer in plan.buffers)
        with checked(cupy):
            self._base: int = self._runtime.malloc(self._layout.size)

    @property
    def nbytes(self) -> int:
        """Its size, guards included."""
        return self._layout.size

    def address(self, buffer: Buffer) -> int:
        """Where ``buffer`` lies on the device. Raises: ``KeyError`` where no plan has one of its name and size."""
        return self._base + self._layout.offset(buffer)

    def guard(self) -> None:
        """Make the guards whole."""
        for zone in self._layout.zones:
            transfer.write(self._cupy, self._base + zone.start, guard_bytes(zone))

    def damage(self) -> str | None:
        """What was written outside the buffers, in a student's words; ``None`` if nothing was."""
        found = (transfer.read(self._cupy, self._base + zone.start, zone.size) for zone in self._layout.zones)
        reports = map(damage, self._layout.zones, found)
        return next((report for report in reports if report is not None), None)

    def close(self) -> None:
        """Wipe the memory, so that nobody finds an answer in it, and give it back."""
        with checked(self._cupy):
            self._runtime.memset(self._base, 0, self._layout.size)
            self._runtime.free(self._base)


class Arenas:
    """As many arenas for the same ``plans`` as are asked for. Raises (every method): as ``status.checked``."""

    def __init__(self, cupy: Any, plans: Sequence[LaunchPlan]) -> None:
        """There is none yet."""
        self._cupy = cupy
        self._plans = plans
        self._arenas: list[Arena] = []

    def add(self) -> Arena:
        """One more, with its guards whole."""
        arena = Arena(self._cupy, self._plans)
        self._arenas.append(arena)
        arena.guard()
        return arena

    def guard(self) -> None:
        """Make all guards whole."""
        for arena in self._arenas:
            arena.guard()

    def damage(self) -> str | None:
        """See ``Arena.damage``; the first of any."""
        return next((found for arena in self._arenas if (found := arena.damage()) is not None), None)

    def close(self) -> None:
        """Wipe the memory of all and give it back."""
        for arena in self._arenas:
            arena.close()
