"""One service request of the interpreter: the requesting lanes, their operands and their view of memory."""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.engines.emulator.core.addresses import (
    LOCAL_ORIGIN,
    ORIGIN_BYTES,
    SHARED_ORIGIN,
)
from grader.engines.emulator.core.codes import EventKind, WindowFlag
from grader.engines.emulator.core.records import EVENT_ROOM
from grader.engines.emulator.decode.program import Program, Row, ServiceCall
from grader.engines.emulator.isa.cells import WARP
from grader.engines.emulator.ptx.syntax import Location

_WHOLE_WARP = (1 << WARP) - 1
_EVERY_LANE = list(range(WARP))
_INTEGERS = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}


@dataclass(slots=True)
class Request:
    """A service request by some lanes of a warp.

    ``context`` is the launch's ``CONTEXT`` record, ``windows`` and ``events`` are its tables; for each
    event ``event_threads`` has a row of bits, one for each thread of the grid.
    """

    program: Program
    context: Any
    windows: NDArray[Any]
    events: NDArray[Any]
    event_threads: NDArray[np.uint8]
    pc: int = field(init=False)
    call: ServiceCall = field(init=False)
    lanes: list[int] = field(init=False)

    def __post_init__(self) -> None:
        """Look up the requesting micro-operation, its service, and the requesting lanes in ascending order."""
        self.pc = int(self.context["stopped_pc"])
        self.call = self.program.services[int(self.program.code[self.pc]["imm"])]
        mask = int(self.context["service_lanes"])
        self.lanes = (
            _EVERY_LANE if mask == _WHOLE_WARP else [lane for lane in _EVERY_LANE if mask >> lane & 1]
        )

    @property
    def location(self) -> Location | None:
        """Source line of the request."""
        return self.program.locations[self.pc]

    def thread(self, lane: int) -> int:
        """A lane's linear index in its block."""
        return int(self.context["stopped_thread"]) // WARP * WARP + lane

    def source(self, index: int) -> NDArray[Any]:
        """Operand ``index`` of all 32 lanes, as signed integers of its width; read it before any call of ``answer``."""
        return self._row(self.call.sources[index])

    def answer(self, index: int, values: NDArray[Any]) -> None:
        """Write result ``index`` for the requesting lanes. ``values`` has 32 elements."""
        row = self._row(self.call.targets[index])
        if len(self.lanes) == WARP:
            row[:] = values
        else:
            row[self.lanes] = values[self.lanes]

    def read(self, address: int, count: int, lane: int) -> bytes | None:
        """``count`` bytes at a generic address as ``lane`` sees it; ``None`` unless all of them exist."""
        for start, end, host in self._ranges(address, lane):
            if start <= address and address + count <= end:
                return ctypes.string_at(host + address - start, count)
        return None

    def string(self, address: int, limit: int, lane: int) -> bytes | None:
        """The zero-terminated string at a generic address, at most ``limit`` bytes; ``None`` if there is none."""
        for start, end, host in self._ranges(address, lane):
            if start <= address < end:
                count = min(end - address, limit)
                return ctypes.string_at(host + address - start, count).split(b"\0", 1)[0]
        return None

    def note(self, kind: EventKind, address: int, window: int, lane: int) -> None:
        """Record an event at the line of the request; see ``core.events.note``."""
        count = int(self.context["event_count"])
        for index, event in enumerate(self.events[:count]):
            if event["kind"] == kind and event["pc"] == self.pc:
                event["count"] += 1
                self._involve(index, lane)
                return
        if count < EVENT_ROOM[kind]:
            fields = {
                "kind": kind,
                "pc": self.pc,
                "other_pc": -1,
                "window": window,
                "address": address,
                "lowest": address,
                "highest": address,
                "thread": self.thread(lane),
                "block": self.context["block"],
                "other_thread": -1,
                "other_block": -1,
                "count": 1,
            }
            for name, value in fields.items():
                self.events[count][name] = value
            self.context["event_count"] = count + 1
            self._involve(count, lane)

    def _involve(self, index: int, lane: int) -> None:
        """Mark the thread in ``lane`` as involved in event ``index``."""
        number = int(self.context["block"]) * int(self.context["block_threads"]) + self.thread(lane)
        row = self.event_threads[index]
        if number < 8 * len(row):
            row[number >> 3] |= 1 << (number & 7)

    def _row(self, row: Row) -> NDArray[Any]:
        """A view of a row in the frame, or among the constants if its offset is negative."""
        constants, frame = int(self.context["constants"]), int(self.context["service_rows"])
        address = frame + row.offset if row.offset >= 0 else constants + ~row.offset
        memory = (ctypes.c_char * (WARP * row.bytes)).from_address(address)
        return np.frombuffer(memoryview(memory).cast("B"), _INTEGERS[row.bytes])

    def _ranges(self, address: int, lane: int) -> Iterator[tuple[int, int, int]]:
        """Memory ranges that may contain a generic address: first byte, end, and host address of the first byte."""
        context = self.context
        if SHARED_ORIGIN <= address < SHARED_ORIGIN + ORIGIN_BYTES:
            yield SHARED_ORIGIN, SHARED_ORIGIN + int(context["shared_bytes"]), int(context["shared"])
        elif LOCAL_ORIGIN <= address < LOCAL_ORIGIN + ORIGIN_BYTES:
            size = int(context["local_bytes"])
            yield LOCAL_ORIGIN, LOCAL_ORIGIN + size, int(context["local"]) + self.thread(lane) * size
        elif address < 1 << 63:
            origin, end = self.windows["origin"], self.windows["origin"] + self.windows["size"]
            holds_data = self.windows["flags"] & WindowFlag.ARENA == 0
            for number in np.flatnonzero(holds_data & (origin <= address) & (address < end)):
                yield int(origin[number]), int(end[number]), int(self.windows["host"][number])
