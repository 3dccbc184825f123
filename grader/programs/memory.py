"""Memory that a program allocates: on the device, pinned on the host, and managed."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from grader.engines.emulator.arrays import aligned_bytes
from grader.engines.emulator.core.addresses import WINDOW_BITS
from grader.engines.emulator.core.codes import WindowFlag
from grader.engines.emulator.decode.variables import PARAMETER_WINDOW, VARIABLE_WINDOW, window_origin
from grader.engines.emulator.memory_map import DeviceMemory, Region, shadow_for
from grader.model.location import SourceLocation
from grader.model.plan import LaunchPlan
from grader.programs.allocations import DEVICE_BYTES, Allocation, Kind
from grader.programs.arena import Arena
from grader.programs.arrays import ArrayShape
from grader.programs.peers import Peers

_ABOVE_SHADOW = 257
"""The first window above the shadow of AddressSanitizer, which ends at 0x10007fff8000 on x86-64."""


_POISON = 0xFF


class ProgramMemory:
    """All allocations of a program, and the emulator's memory with them. ``device`` is that of the present call."""

    def __init__(
        self,
        arena: Arena,
        *,
        track: bool,
        narrow: bool,
        device_bytes: int = DEVICE_BYTES,
        is_sanitized: bool = False,
    ) -> None:
        """``track``: keep shadows for the emulator's findings, for single bytes if accesses may be ``narrow``.

        ``device_bytes`` is the memory of each device. ``is_sanitized``: the program's process has AddressSanitizer's
        own shadow at low addresses.
        """
        self.arena = arena
        self.device_bytes = device_bytes
        self.emulated = DeviceMemory(LaunchPlan(buffers=(), launches=()), {}, track=track)
        self._track = track
        self._narrow = narrow
        self._live: dict[int, Allocation] = {}
        self._freed: OrderedDict[int, Allocation] = OrderedDict()
        self._unused = iter(range(_ABOVE_SHADOW if is_sanitized else 1, PARAMETER_WINDOW))
        self._unused_variables: dict[str, int] = {}
        self._aliases: dict[tuple[int, int], Allocation] = {}
        self.peers = Peers()
        self.device = 0
        self._used: dict[int, int] = {}
        self.when_released: list[Callable[[Allocation], None]] = []

    @property
    def used_bytes(self) -> int:
        """Bytes that the program has allocated on the present ``device``."""
        return self._used.get(self.device, 0)

    @contextmanager
    def seen_by(self, device: int) -> Iterator[None]:
        """Hide what kernels of a device cannot reach, while the block runs."""
        regions = self.emulated.regions
        hidden = {
            window: regions.pop(window)
            for window, each in self._live.items()
            if window in regions and not self.reaches(device, each)
        }
        try:
            yield
        finally:
            regions |= hidden

    def reaches(self, device: int, allocation: Allocation) -> bool:
        """Whether kernels of a device can use an allocation."""
        is_of_device = allocation.kind in {Kind.DEVICE, Kind.ARRAY}
        return not is_of_device or self.peers.reaches(device, allocation.device)

    def allocate(
        self, size: int, name: str, location: SourceLocation, shape: ArrayShape | None = None
    ) -> Allocation | None:
        """Memory of the device, or an array of ``shape``; ``None`` where none is left."""
        if size == 0 or self.used_bytes + size > self.device_bytes:
            return None
        data = aligned_bytes(size)[:size]
        data[:] = _POISON
        made = self._add(Kind.ARRAY if shape else Kind.DEVICE, size, data, name, location)
        if made is not None:
            self._used[self.device] = self.used_bytes + size
            made.device = self.device
            made.shape = shape
        if made is not None and shape is not None:  # kernels reach arrays through textures and surfaces only
            del self.emulated.regions[made.window]
        return made

    def array(self, handle: int) -> tuple[Allocation, ArrayShape] | None:
        """The array with a handle, and its shape; ``None`` if there is none, or not any more."""
        found = self.find(handle)
        if found is None or found.freed is not None or found.address != handle or found.shape is None:
            return None
        return found, found.shape

    def share(
        self, kind: Kind, size: int, name: str, location: SourceLocation
    ) -> tuple[Allocation, int] | None:
        """Memory of the host that the device can use too, and its offset in the arena; ``None`` where none is left."""
        offset = self.arena.take(size) if size else None
        if offset is None:
            return None
        made = self._add(kind, size, self.arena.bytes_at(offset, size), name, location)
        return None if made is None else (made, offset)

    def release(self, allocation: Allocation, location: SourceLocation) -> None:
        """Give an allocation back; it is remembered, so that later use can be explained."""
        allocation.freed = location
        del self._live[allocation.window]
        self.emulated.regions.pop(allocation.window, None)
        self._freed[allocation.window] = allocation
        if allocation.kind in {Kind.DEVICE, Kind.ARRAY}:
            self._used[allocation.device] -= allocation.size
        for note in self.when_released:
            note(allocation)
        allocation.data = allocation.data[:0]

    def find(self, address: int) -> Allocation | None:
        """The allocation, in use or freed, around ``address``: a stray address belongs to the closest one."""
        window = address >> WINDOW_BITS
        return self._live.get(window) or self._freed.get(window)

    def window(self, address: int) -> int:
        """The number of the window around ``address``, in which nothing but one allocation or variable lies."""
        return address >> WINDOW_BITS

    def name(self, address: int) -> str:
        """The name of what is at ``address``."""
        region = self.emulated.regions.get(self.window(address))
        return "" if region is None else region.name

    def variable(self, address: int) -> Region | None:
        """The module's variable around ``address``."""
        window = address >> WINDOW_BITS
        return self.emulated.regions.get(window) if window >= VARIABLE_WINDOW else None

    def keep_unused(self, name: str, size: int) -> int | None:
        """The address of a variable that no kernel uses; ``None`` where no memory is left."""
        if name not in self._unused_variables:
            made = self._add(Kind.VARIABLE, size, aligned_bytes(size)[:size], name, SourceLocation())
            if made is None:
                return None
            self._unused_variables[name] = made.address
        return self._unused_variables[name]

    def alias(self, unit: int, window: int) -> Allocation | None:
        """The mapped variable in ``window``, at a second address of its own; ``None`` where no window is left."""
        region = self.emulated.regions[window]
        if (unit, window) not in self._aliases:
            made = self._add(Kind.VARIABLE, len(region.data), region.data, region.name, SourceLocation())
            if made is None:
                return None
            self._aliases[unit, window] = made
        return self._aliases[unit, window]

    def track_bytes(self) -> None:
        """Follow single bytes from now on: a kernel accesses such."""
        self._narrow = True
        self.emulated.track_bytes()

    def variable_origin(self, address: int) -> int:
        """The address of the first byte of the variable around ``address``."""
        return window_origin(address >> WINDOW_BITS)

    @property
    def live(self) -> Iterator[Allocation]:
        """Everything that the program allocated and did not release."""
        return (each for each in self._live.values() if each.kind is not Kind.VARIABLE)

    def note_written(self, address: int) -> None:
        """Take the allocation or variable at ``address`` for initialised, because the host wrote to it."""
        region = self.emulated.regions.get(address >> WINDOW_BITS)
        if region is not None:
            region.flags &= ~int(WindowFlag.UNINITIALISED)

    def _add(
        self, kind: Kind, size: int, data: NDArray[np.uint8], name: str, location: SourceLocation
    ) -> Allocation | None:
        window = next(self._unused, None)
        if window is None:
            if not self._freed:
                return None
            window, _ = self._freed.popitem(last=False)
        shown = name or f"the {kind} of line {location.line}"
        flags = int(WindowFlag.UNINITIALISED) if kind is Kind.DEVICE else 0
        flags |= int(WindowFlag.NARROW) if self._narrow else 0
        shadow = shadow_for(size, narrow=self._narrow) if self._track else None
        self.emulated.regions[window] = Region(shown, data, flags, shadow)
        made = Allocation(
            kind=kind,
            window=window,
            address=window_origin(window),
            size=size,
            data=data,
            name=shown,
            location=location,
        )
        self._live[window] = made
        return made
