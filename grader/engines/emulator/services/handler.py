"""Serve the interpreter's requests."""

from collections.abc import Callable

import numpy as np

from grader.engines.emulator.core.addresses import HEAP_WINDOW
from grader.engines.emulator.core.codes import EventKind
from grader.engines.emulator.decode.program import Service
from grader.engines.emulator.decode.variables import window_origin
from grader.engines.emulator.isa.cells import WARP
from grader.engines.emulator.memory_map import DeviceMemory
from grader.engines.emulator.services import surfaces, textures
from grader.engines.emulator.services.heap import Release
from grader.engines.emulator.services.matrices import multiply
from grader.engines.emulator.services.printing import Printer, assertion
from grader.engines.emulator.services.request import Request

_BAD_RELEASES = {Release.AGAIN: EventKind.HEAP_DOUBLE_FREE, Release.UNKNOWN: EventKind.HEAP_BAD_FREE}
_HEAP_ORIGIN = window_origin(HEAP_WINDOW)


class ServiceHandler:
    """Serves the requests of one run."""

    def __init__(self, memory: DeviceMemory, printer: Printer | None = None) -> None:
        """``memory`` is the device memory of the run's plan; ``printer`` keeps what its kernels print."""
        self._memory = memory
        self._printer = printer or Printer()
        self.assertion = ""
        self._services: dict[Service, Callable[[Request], None]] = {
            Service.PRINT: self._printer.print,
            Service.ASSERT: self._assert,
            Service.MALLOC: self._allocate,
            Service.FREE: self._free,
            Service.MATRIX: multiply,
            Service.TEXTURE: lambda request: textures.read(request, memory.samplers),
            Service.SURFACE: lambda request: surfaces.access(request, memory.surfaces),
        }

    @property
    def printed(self) -> str:
        """Text that the kernels have printed so far."""
        return self._printer.text

    def serve(self, request: Request) -> bool:
        """Serve a request. Returns: whether the kernel continues; if not, ``assertion`` says why."""
        self._services[request.call.service](request)
        return not self.assertion

    def _assert(self, request: Request) -> None:
        self.assertion = assertion(request) or "unknown condition"

    def _allocate(self, request: Request) -> None:
        heap, sizes = self._memory.heap, request.source(0)
        addresses = np.zeros(WARP, np.int64)
        for lane in request.lanes:
            start = heap.allocate(int(sizes[lane]), request.location)
            if start is None:
                request.note(EventKind.HEAP_EXHAUSTED, int(sizes[lane]), HEAP_WINDOW, lane)
            else:
                addresses[lane] = _HEAP_ORIGIN + start
        request.answer(0, addresses)

    def _free(self, request: Request) -> None:
        addresses = request.source(0)
        for lane in request.lanes:
            address = int(addresses[lane])
            if address == 0:
                continue
            release = self._memory.heap.release(address - _HEAP_ORIGIN, request.location)
            if release is not Release.DONE:
                request.note(_BAD_RELEASES[release], address, HEAP_WINDOW, lane)
