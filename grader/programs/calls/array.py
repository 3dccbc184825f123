"""Calls about CUDA arrays."""

from collections.abc import Callable, Mapping

from grader.model.diagnostic import DiagnosticKind
from grader.model.reason import reason
from grader.programs.allocations import Allocation, Kind
from grader.programs.arrays import ArrayFlag, ArrayShape, Box, ElementFormat
from grader.programs.bus import MALLOC_SECONDS
from grader.programs.device_state import State
from grader.programs.error_codes import Error
from grader.programs.wire import Call, Reply, Request

_ROLES = ("target", "source")


class ArrayCalls:
    """Answers calls that create arrays, or that ask where their elements lie."""

    def __init__(self, state: State) -> None:
        self._state = state

    @property
    def answers(self) -> Mapping[Call, Callable[[Request], Reply]]:
        """What answers each call."""
        return {
            Call.ARRAY_ALLOC: self._alloc,
            Call.ARRAY_INFO: self._info,
            Call.ARRAY_BOX: self._box,
            Call.ARRAY_MISFIT: self._misfit,
        }

    def _alloc(self, asked: Request) -> Reply:
        self._state.schedule.times.spend(MALLOC_SECONDS)
        *bits, kind, width, height, depth, flags = asked.arguments[:9]
        element = ElementFormat.of(tuple(bits), kind)
        if element is None:
            return self._state.failed(Error.INVALID_CHANNEL_DESCRIPTOR, asked, reason("array-format"))
        shape = ArrayShape(format=element, width=width, height=height, depth=depth, flags=ArrayFlag(flags))
        if not shape.is_valid:
            problem = reason("array-extents", width=width, height=height, depth=depth)
            return self._state.failed(Error.INVALID_VALUE, asked, problem)
        line = self._state.findings.line(asked.site)
        name = self._state.names.assigned(line, asked.site)
        made = self._state.memory.allocate(shape.size, name, line, shape)
        if made is None:
            problem = reason(
                "no-device-memory", size=shape.size, most=self._state.memory.device_bytes, count=shape.size
            )
            return self._state.failed(Error.NO_MEMORY, asked, problem)
        return Reply(values=(made.address,))

    def _info(self, asked: Request) -> Reply:
        found = self._state.memory.array(asked.arguments[0])
        if found is None:
            return self._unknown(asked)
        shape = found[1]
        element = shape.format
        return Reply(
            values=(
                *(shape.width, shape.height, shape.depth, int(shape.flags)),
                *(element.bits | element.channels << 8, int(element.kind)),
            )
        )

    def _box(self, asked: Request) -> Reply:
        """Where a box of elements starts; then the bytes of a row, the rows of a slice, the bytes of an element.

        A height of 0 asks for ``width`` bytes in the order of the memory.
        """
        address, x, y, z, width, height, depth, in_bytes, role = asked.arguments[:9]
        found = self._state.memory.array(address)
        if found is None:
            return self._unknown(asked)
        allocation, shape = found
        unit = shape.format.size
        scale = 1 if in_bytes else unit
        box = Box(x=x * scale, y=y, z=z, width=width * scale, height=height, depth=depth)
        if box.x % unit or box.width % unit:
            problem = reason("array-partial-elements", name=allocation.name, size=unit)
            self._state.findings.error(
                DiagnosticKind.HOST_COPY, asked.site, problem, reason("array-x-in-bytes"), allocation.location
            )
            return Reply(Error.INVALID_VALUE)
        start = shape.offset(box)
        fits = shape.holds(box) if height else start + box.width <= shape.size
        if not fits:
            return self._outside(asked, allocation, shape, _ROLES[role])
        return Reply(values=(allocation.address + start, shape.row_bytes, shape.rows, unit))

    def _outside(self, asked: Request, allocation: Allocation, shape: ArrayShape, role: str) -> Reply:
        problem = reason(
            "copy-outside-array",
            role=role,
            name=allocation.name,
            width=shape.width,
            height=shape.rows,
            depth=shape.slices,
        )
        advice = reason("array-x-in-bytes")
        self._state.findings.error(DiagnosticKind.HOST_COPY, asked.site, problem, advice, allocation.location)
        return Reply(Error.INVALID_VALUE)

    def _misfit(self, asked: Request) -> Reply:
        """Note a copy between arrays of different elements."""
        target, source = asked.arguments[:2]
        return self._state.failed(
            Error.INVALID_VALUE, asked, reason("array-elements-differ", target=target, source=source)
        )

    def _unknown(self, asked: Request) -> Reply:
        """Note a handle that is no array, or one of an array that was released."""
        found = self._state.memory.find(asked.arguments[0])
        if found is not None and found.freed is not None and found.kind is Kind.ARRAY:
            problem = reason("array-released", name=found.name)
            self._state.findings.error(DiagnosticKind.HOST_MEMORY, asked.site, problem, None, found.freed)
            return Reply(Error.INVALID_HANDLE)
        return self._state.failed(Error.INVALID_HANDLE, asked, reason("not-an-array"))
