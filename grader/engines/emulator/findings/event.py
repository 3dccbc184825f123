"""One event of the interpreter, and the names of its threads, lines and memory."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.compile.mangled_names import variable_name
from grader.engines.emulator.core.addresses import HEAP_WINDOW, SHARED_ORIGIN, SHARED_WINDOW
from grader.engines.emulator.core.codes import EventKind, Flag, Op, Space
from grader.engines.emulator.decode.moving import uses_workspace
from grader.engines.emulator.decode.variables import VARIABLE_WINDOW
from grader.engines.emulator.display_names import (
    block_name,
    elements_name,
    line_name,
    shared_array_name,
    thread_name,
    thread_of_block,
)
from grader.engines.emulator.launch import LaunchOutcome
from grader.engines.emulator.memory_map import DeviceMemory
from grader.engines.emulator.ptx.syntax import Location
from grader.model.reason import Reason, reason

_DOES = {int(Op.LOAD): "reads", int(Op.STORE): "writes"}


@dataclass(frozen=True, slots=True)
class Event:
    """``record`` (dtype ``records.EVENT``) describes the first occurrence.

    ``count`` is the number of occurrences; ``threads`` has one bit for each thread of the grid, set if it was involved.
    """

    record: Any
    count: int
    threads: NDArray[np.uint8]
    outcome: LaunchOutcome
    memory: DeviceMemory

    def joined(self, other: "Event") -> "Event":
        """This event combined with ``other``, which belongs to the same finding."""
        record = self.record.copy()
        record["lowest"] = min(record["lowest"], other.record["lowest"])
        record["highest"] = max(record["highest"], other.record["highest"])
        if self.use_location is None and other.use_location is not None:
            record["detail"] = other.record["detail"]
        return replace(
            self, record=record, count=self.count + other.count, threads=self.threads | other.threads
        )

    def swapped(self) -> "Event":
        """This pair seen from its other access."""
        record = self.record.copy()
        for name in ("pc", "thread", "block"):
            record[name], record[f"other_{name}"] = self.record[f"other_{name}"], self.record[name]
        return replace(self, record=record)

    @property
    def location(self) -> Location | None:
        """Source line of the event."""
        return self.outcome.program.locations[int(self.record["pc"])]

    @property
    def other_location(self) -> Location | None:
        """Source line of the other access of a pair."""
        pc = int(self.record["other_pc"])
        return self.outcome.program.locations[pc] if pc >= 0 else None

    @property
    def use_location(self) -> Location | None:
        """Source line of the instruction that depends on the value of unwritten memory; ``None`` without one."""
        behind = int(self.record["detail"])
        if int(self.record["kind"]) != EventKind.UNINITIALISED or behind == 0:
            return None
        return self.outcome.program.locations[behind - 1]

    def sync_location(self, field: str) -> Location | None:
        """Source line of the synchronisation before or between a pair: field ``before_pc`` or ``between_pc``."""
        pc = int(self.record[field])
        return self.outcome.program.locations[pc] if pc >= 0 else None

    def sync_op(self, field: str) -> Op | None:
        """The operation of that synchronisation; ``None`` without one."""
        pc = int(self.record[field])
        return Op(int(self.outcome.program.code[pc]["op"])) if pc >= 0 else None

    @property
    def thread(self) -> Reason:
        """The first thread involved, with its block."""
        return thread_of_block(self.outcome.shape, int(self.record["thread"]), int(self.record["block"]))

    @property
    def block(self) -> Reason:
        """The block of that thread."""
        return block_name(self.outcome.shape, int(self.record["block"]))

    @property
    def all_threads(self) -> Reason:
        """The number of threads involved and the first one."""
        count = count_threads(self.threads)
        return self.thread if count <= 1 else reason("several-threads", count=count, first=self.thread)

    @property
    def other_thread(self) -> Reason:
        """The other thread of a pair, with its block if the blocks differ."""
        shape, thread = self.outcome.shape, int(self.record["other_thread"])
        block = int(self.record["other_block"])
        if block == int(self.record["block"]):
            return thread_name(shape, thread)
        return thread_of_block(shape, thread, block)

    @property
    def line(self) -> Reason:
        """The source line of the event."""
        return line_name(self.location)

    @property
    def other_line(self) -> Reason:
        """The source line of the other access of a pair."""
        return line_name(self.other_location, self.location)

    @property
    def between_blocks(self) -> bool:
        """Whether the two threads of a pair are in different blocks."""
        return int(self.record["block"]) != int(self.record["other_block"])

    @property
    def has_grid_barrier(self) -> bool:
        """Whether the kernel contains a grid barrier, which needs a cooperative launch."""
        program = self.outcome.program
        return bool((program.code["op"] == Op.GRID_BARRIER).any()) or uses_workspace(program)

    def has_flag(self, flag: Flag) -> bool:
        """Whether one of the two accesses has ``flag``."""
        code = self.outcome.program.code
        pcs = [int(self.record[name]) for name in ("pc", "other_pc")]
        return any(int(code[pc]["flags"]) & flag for pc in pcs if pc >= 0)

    @property
    def block_fence(self) -> Location | None:
        """The line of a fence for one block only, if the kernel has no fence for the device."""
        program = self.outcome.program
        fences = [pc for pc, op in enumerate(program.code["op"]) if op == Op.FENCE]
        if not fences or any(not int(program.code[pc]["flags"]) & Flag.BLOCK_SCOPE for pc in fences):
            return None
        return program.locations[fences[0]]

    @property
    def has_signals(self) -> bool:
        """Whether threads learn from strong accesses to global memory what other blocks have done."""
        code = self.outcome.program.code
        outside = (code["space"] == Space.GENERIC) | (code["space"] == Space.GLOBAL)
        answers = (code["op"] == Op.ATOMIC) & (code["d"] >= 0) & (code["flags"] & Flag.UNREAD == 0)
        polls = (code["op"] == Op.LOAD) & (code["flags"] & (Flag.DECIDES | Flag.RELAXED) != 0)
        return bool((outside & (answers | polls)).any())

    @property
    def width(self) -> int:
        """Bytes of one element of the access."""
        return int(self.outcome.program.code[int(self.record["pc"])]["width"])

    @property
    def size(self) -> int:
        """Bytes of the whole access of a thread."""
        return self.width * int(self.outcome.program.code[int(self.record["pc"])]["count"])

    @property
    def address(self) -> int:
        """The address of the access."""
        return int(self.record["address"])

    @property
    def is_numba(self) -> bool:
        """Whether the line is in a Python file."""
        return self.location is not None and self.location.file.endswith(".py")

    @property
    def in_shared_memory(self) -> bool:
        """Whether the address is in shared memory."""
        return int(self.record["space"]) == Space.SHARED or int(self.record["window"]) == SHARED_WINDOW

    @property
    def in_local_memory(self) -> bool:
        """Whether the address is in a thread's local memory."""
        return int(self.record["space"]) == Space.LOCAL

    def does(self, *, other: bool = False) -> str:
        """The access as a statement without parameters: ``reads``, ``writes`` or ``updates``."""
        pc = int(self.record["other_pc" if other else "pc"])
        return _DOES.get(int(self.outcome.program.code[pc]["op"]), "updates")

    def target(self) -> Reason:
        """The buffer or array at or near the address."""
        window = int(self.record["window"])
        if self.in_shared_memory:
            return self._shared_array()[0]
        if self.in_local_memory:
            return reason("local-memory")
        if window == HEAP_WINDOW:
            return reason("heap-memory")
        region = self.memory.regions.get(window)
        if region is None:
            return reason("no-buffer")
        return reason("variable" if window >= VARIABLE_WINDOW else "buffer", name=variable_name(region.name))

    def target_elements(self) -> Reason | None:
        """The size of the target, in elements of the access; ``None`` if unknown."""
        extent = self._extent()
        return None if extent is None else elements_name(extent[1] - extent[0], self.width)

    def distance(self) -> Reason | None:
        """Distance of the first and of the furthest access outside the target; ``None`` if the target is unknown."""
        extent = self._extent()
        if extent is None:
            return None
        start, end = extent
        address, lowest, highest = (int(self.record[name]) for name in ("address", "lowest", "highest"))
        before, past = start - lowest, highest + self.size - end
        if before > 0 and past > 0:
            return reason("beyond-both-ends", before=self._elements(before), past=self._elements(past))
        if before > 0:
            one, range_ = "before-start", "before-start-up-to"
            first, furthest = start - address, before
        else:
            one, range_ = "past-end", "past-end-up-to"
            first, furthest = address + self.size - end, past
        if first == furthest:
            return reason(one, distance=self._elements(first))
        return reason(range_, distance=self._elements(first), furthest=self._elements(furthest))

    @property
    def is_before_start(self) -> bool:
        """Whether the first access is before the start of the target."""
        extent = self._extent()
        return extent is not None and self.address < extent[0]

    @property
    def lacks_dynamic_memory(self) -> bool:
        """Whether the target is a dynamic shared array and the launch gives it no memory."""
        return self.in_shared_memory and self.outcome.shape.shared_bytes == 0 and self._shared_array()[2] == 0

    def _elements(self, count: int) -> Reason:
        return elements_name(count, self.width)

    def _extent(self) -> tuple[int, int] | None:
        """Start and end address of the target; ``None`` if unknown."""
        window = int(self.record["window"])
        if self.in_shared_memory:
            _, start, size = self._shared_array()
            return start, start + size
        if self.in_local_memory or window not in self.memory.regions:
            return None
        start = self.memory.origin(window)
        return start, start + len(self.memory.regions[window].data)

    def _shared_array(self) -> tuple[Reason, int, int]:
        """Name, start and size of the shared array at or before the address."""
        address = int(self.record["address"])
        offset = address if address < SHARED_ORIGIN else address - SHARED_ORIGIN
        arrays = sorted(self.outcome.program.shared, key=lambda array: array.offset)
        before = [array for array in arrays if array.offset <= offset] or arrays[:1]
        if not before:
            return reason("unnamed-shared-array"), 0, 0
        array = before[-1]
        size = self.outcome.shape.shared_bytes if array.size is None else array.size
        name = shared_array_name(array.name, (other.name for other in arrays))
        return name, array.offset, size


def count_threads(threads: NDArray[np.uint8]) -> int:
    """Number of set bits."""
    return int(np.unpackbits(threads).sum())
