"""One event of the interpreter, with readable names of its threads, lines and memory."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.engines.emulator.core.addresses import HEAP_WINDOW, SHARED_ORIGIN, SHARED_WINDOW
from grader.engines.emulator.core.codes import Op, Space
from grader.engines.emulator.decode.moving import uses_workspace
from grader.engines.emulator.decode.variables import VARIABLE_WINDOW, window_origin
from grader.engines.emulator.display_names import (
    block_name,
    elements,
    shared_array_name,
    thread_name,
    variable_name,
)
from grader.engines.emulator.launch import LaunchOutcome
from grader.engines.emulator.memory_map import DeviceMemory
from grader.engines.emulator.ptx.syntax import Location

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
        return replace(
            self, record=record, count=self.count + other.count, threads=self.threads | other.threads
        )

    @property
    def location(self) -> Location | None:
        """Source line of the event."""
        return self.outcome.program.locations[int(self.record["pc"])]

    @property
    def other_location(self) -> Location | None:
        """Source line of the other access of a pair."""
        pc = int(self.record["other_pc"])
        return self.outcome.program.locations[pc] if pc >= 0 else None

    def sync_location(self, field: str) -> Location | None:
        """Source line of the synchronisation before or between a pair: field ``before_pc`` or ``between_pc``."""
        pc = int(self.record[field])
        return self.outcome.program.locations[pc] if pc >= 0 else None

    def sync_op(self, field: str) -> Op | None:
        """The operation of that synchronisation; ``None`` without one."""
        pc = int(self.record[field])
        return Op(int(self.outcome.program.code[pc]["op"])) if pc >= 0 else None

    @property
    def who(self) -> str:
        """Name of the first thread involved, with its block."""
        thread = thread_name(self.outcome.shape.block, int(self.record["thread"]))
        return f"{thread} of {self.block}"

    @property
    def block(self) -> str:
        """Name of the block of that thread."""
        return block_name(self.outcome.shape.grid, int(self.record["block"]))

    @property
    def culprits(self) -> str:
        """The number of threads involved and the name of the first one."""
        count = count_threads(self.threads)
        return self.who if count <= 1 else f"{count:,} threads, the first of them {self.who}"

    @property
    def other(self) -> str:
        """Name of the other thread of a pair, with its block if the blocks differ."""
        shape = self.outcome.shape
        thread = thread_name(shape.block, int(self.record["other_thread"]))
        block = int(self.record["other_block"])
        return (
            thread if block == int(self.record["block"]) else f"{thread} of {block_name(shape.grid, block)}"
        )

    @property
    def between_blocks(self) -> bool:
        """Whether the two threads of a pair are in different blocks."""
        return int(self.record["block"]) != int(self.record["other_block"])

    @property
    def has_grid_barrier(self) -> bool:
        """Whether the kernel contains a grid barrier, which needs a cooperative launch."""
        program = self.outcome.program
        return bool((program.code["op"] == Op.GRID_BARRIER).any()) or uses_workspace(program)

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
        """The verb for the access: ``reads``, ``writes`` or ``updates``."""
        pc = int(self.record["other_pc" if other else "pc"])
        return _DOES.get(int(self.outcome.program.code[pc]["op"]), "updates")

    def target(self) -> str:
        """Name of the buffer or array at or near the address."""
        window = int(self.record["window"])
        if self.in_shared_memory:
            return self._shared_array()[0]
        if int(self.record["space"]) == Space.LOCAL:
            return "the thread's local memory"
        if window == HEAP_WINDOW:
            return "memory from malloc"
        region = self.memory.regions.get(window)
        if region is None:
            return "no buffer"
        return f"{'variable' if window >= VARIABLE_WINDOW else 'buffer'} {variable_name(region.name)}"

    def distance(self) -> str:
        """Distance of the first and of the furthest access outside the target; empty if the target is unknown."""
        extent = self._extent()
        if extent is None:
            return ""
        start, end = extent
        address, lowest, highest = (int(self.record[name]) for name in ("address", "lowest", "highest"))
        sides = (
            ("before its start", start - address, start - lowest),
            ("past its end", address + self.size - end, highest + self.size - end),
        )
        first = [f"{elements(here, self.width)} {side}" for side, here, _ in sides if here > 0]
        further = [
            f"up to {elements(far, self.width)} {side}" for side, here, far in sides if far > max(here, 0)
        ]
        more = f" ({' and '.join(further)})" if further else ""
        return f", {first[0]}{more}" if first else ""

    def _extent(self) -> tuple[int, int] | None:
        """Start and end address of the target; ``None`` if unknown."""
        window = int(self.record["window"])
        if self.in_shared_memory:
            _, start, size = self._shared_array()
            return start, start + size
        if int(self.record["space"]) == Space.LOCAL or window not in self.memory.regions:
            return None
        start = window_origin(window)
        return start, start + len(self.memory.regions[window].data)

    def _shared_array(self) -> tuple[str, int, int]:
        """Name, start and size of the shared array at or before the address."""
        address = int(self.record["address"])
        offset = address if address < SHARED_ORIGIN else address - SHARED_ORIGIN
        arrays = sorted(self.outcome.program.shared, key=lambda array: array.offset)
        before = [array for array in arrays if array.offset <= offset] or arrays[:1]
        if not before:
            return "shared memory", 0, 0
        array = before[-1]
        size = self.outcome.shape.shared_bytes if array.size is None else array.size
        name = shared_array_name(array.name, (other.name for other in arrays))
        return name, array.offset, size


def count_threads(threads: NDArray[np.uint8]) -> int:
    """Number of set bits."""
    return int(np.unpackbits(threads).sum())
