"""Calls that allocate and release memory."""

from collections.abc import Callable, Iterable, Mapping

from grader.model.diagnostic import DiagnosticKind
from grader.model.location import SourceLocation
from grader.model.reason import reason
from grader.programs.allocations import Allocation, Kind
from grader.programs.bus import MALLOC_SECONDS, PIN_SECONDS_PER_BYTE
from grader.programs.device_state import State
from grader.programs.error_codes import Error
from grader.programs.wire import Call, Reply, Request

_MEMORY_TYPES = {Kind.PINNED: 1, Kind.DEVICE: 2, Kind.ARRAY: 0, Kind.VARIABLE: 2, Kind.MANAGED: 3}
"""Values of ``cudaMemoryType``; the handle of an array is no pointer."""


class MemoryCalls:
    """Answers calls about memory of the device and of the host."""

    def __init__(self, state: State) -> None:
        self._state = state

    @property
    def answers(self) -> Mapping[Call, Callable[[Request], Reply]]:
        """What answers each call."""
        return {
            Call.MALLOC: self._malloc,
            Call.FREE: self._free,
            Call.HOST_ALLOC: self._host_alloc,
            Call.HOST_FREE: self._host_free,
            Call.ARRAY_FREE: self._array_free,
            Call.FREE_ASYNC: self._free_async,
            Call.POINTER: self._pointer,
            Call.MANAGED_VARIABLE: self._managed_variable,
            Call.MANAGED_ALLOC: self._managed_alloc,
            Call.MEMORY_INFO: self._memory_info,
            Call.RESET: self._reset,
        }

    def _malloc(self, asked: Request) -> Reply:
        self._state.schedule.times.spend(MALLOC_SECONDS)
        size = asked.arguments[0]
        line = self._state.findings.line(asked.site)
        made = self._state.memory.allocate(size, self._state.names.assigned(line, asked.site), line)
        if made is None:
            problem = reason("no-device-memory", size=size, most=self._state.memory.device_bytes, count=size)
            return self._state.failed(Error.NO_MEMORY, asked, problem)
        return Reply(values=(made.address,))

    def _host_alloc(self, asked: Request) -> Reply:
        return self._shared(asked, Kind.PINNED)

    def _managed_alloc(self, asked: Request) -> Reply:
        return self._shared(asked, Kind.MANAGED)

    def _managed_variable(self, asked: Request) -> Reply:
        """Memory for a ``__managed__`` variable, which kernels and host code use by its name."""
        name = asked.extra.decode(errors="replace")
        made = self._state.memory.share(Kind.MANAGED, asked.arguments[0], name, SourceLocation())
        if made is None:
            return Reply(Error.NO_MEMORY)
        allocation, offset = made
        allocation.is_static = True
        self._state.kernels.bind_managed(name, allocation)
        return Reply(values=(allocation.address, offset))

    def _shared(self, asked: Request, kind: Kind) -> Reply:
        size = asked.arguments[0]
        self._state.schedule.times.spend(MALLOC_SECONDS + size * PIN_SECONDS_PER_BYTE)
        line = self._state.findings.line(asked.site)
        made = self._state.memory.share(kind, size, self._state.names.assigned(line, asked.site), line)
        if made is None:
            return self._state.failed(Error.NO_MEMORY, asked, reason("no-host-memory", size=size, count=size))
        allocation, offset = made
        return Reply(values=(allocation.address, offset))

    def _free(self, asked: Request) -> Reply:
        return self._release(asked, "cudaFree", {Kind.DEVICE, Kind.MANAGED})

    def _host_free(self, asked: Request) -> Reply:
        return self._release(asked, "cudaFreeHost", {Kind.PINNED})

    def _array_free(self, asked: Request) -> Reply:
        return self._release(asked, "cudaFreeArray", {Kind.ARRAY})

    def _release(self, asked: Request, function: str, kinds: set[Kind]) -> Reply:
        found = self._releasable(asked, function, kinds)
        if isinstance(found, Reply):
            return found
        self._state.schedule.wait_for_all()
        self._state.memory.release(found, self._state.findings.line(asked.site))
        return Reply(self._state.sticky)

    def _free_async(self, asked: Request) -> Reply:
        """Release memory when its stream comes to it; what is issued from now on must not use it."""
        schedule = self._state.schedule
        stream = schedule.stream(asked.arguments[1])
        if stream is None:
            return Reply(Error.INVALID_HANDLE)
        if stream in schedule.recorders or schedule.every_recorder is not None:
            self._state.refused = reason("runtime-function-missing", function="cudaFreeAsync in a graph")
            return self._state.failed(Error.NOT_SUPPORTED, asked, self._state.refused)
        found = self._releasable(asked, "cudaFreeAsync", {Kind.DEVICE})
        if isinstance(found, Reply):
            return found
        line = self._state.findings.line(asked.site)
        found.releasing = line

        def perform() -> float:
            self._state.memory.release(found, line)
            return 0.0

        self._state.add(None, reason("work-release"), stream, asked.site, perform)
        return Reply()

    def _reset(self, asked: Request) -> Reply:
        """Wait, and release all memory of the device. What the host shares stays: its pointers are in use."""
        self._state.schedule.wait_for_all(asked.device)
        of_device = {Kind.DEVICE, Kind.ARRAY}
        left = [
            each for each in self._state.memory.live if each.kind in of_device and each.device == asked.device
        ]
        say_leaks(self._state, left)
        for each in left:
            self._state.memory.release(each, self._state.findings.line(asked.site))
        return Reply(self._state.sticky)

    def _releasable(self, asked: Request, function: str, kinds: set[Kind]) -> Allocation | Reply:
        """The allocation that a call may release, or the answer to a call that may not."""
        address = asked.arguments[0]
        found = self._state.memory.find(address)
        if found is None or (found.released is None and address != found.address):
            return self._state.failed(
                Error.INVALID_VALUE, asked, reason("free-of-unknown", function=function)
            )
        if found.released is not None:
            problem = reason("free-twice", function=function, name=found.name)
            self._state.findings.error(DiagnosticKind.HOST_MEMORY, asked.site, problem, None, found.released)
            return Reply(Error.INVALID_VALUE)
        if found.kind not in kinds:
            problem = reason(
                "free-by-wrong-function", function=function, name=found.name, made=found.kind.value
            )
            advice = reason("free-by", function=found.kind.release)
            self._state.findings.error(
                DiagnosticKind.HOST_MEMORY, asked.site, problem, advice, found.location
            )
            return Reply(Error.INVALID_VALUE)
        return found

    def _pointer(self, asked: Request) -> Reply:
        """The ``cudaMemoryType`` of what a pointer points to, 0 for memory of the program itself, and its device."""
        address = asked.arguments[0]
        found = self._state.memory.find(address)
        if found is None or found.released is not None or not found.address <= address < found.end:
            is_variable = self._state.memory.variable(address) is not None
            return Reply(values=(_MEMORY_TYPES[Kind.VARIABLE] if is_variable else 0, asked.device))
        return Reply(values=(_MEMORY_TYPES[found.kind], found.device))

    def _memory_info(self, asked: Request) -> Reply:
        del asked
        memory = self._state.memory
        return Reply(values=(memory.device_bytes - memory.used_bytes, memory.device_bytes))


def say_leaks(state: State, left: Iterable[Allocation]) -> None:
    """Note memory that the program has not released, where it has to."""
    for each in () if state.is_managed else left:
        if each.is_static:
            continue
        problem = reason("never-released", name=each.name, size=each.size, count=each.size)
        advice = reason("free-by", function=each.kind.release)
        state.findings.warning(DiagnosticKind.LEAK, each.location, problem, advice)
