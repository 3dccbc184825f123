"""One event of the interpreter, and the names of everything in it."""

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
    """``record`` (dtype ``records.EVENT``) tells of the first time.

    ``count`` is how often it happened, ``threads`` has a bit for each thread of the grid that it happened to.
    """

    record: Any
    count: int
    threads: NDArray[np.uint8]
    outcome: LaunchOutcome
    memory: DeviceMemory

    def joined(self, other: "Event") -> "Event":
        """This event with what ``other``, which is the same to a student, adds to it."""
        record = self.record.copy()
        record["lowest"] = min(record["lowest"], other.record["lowest"])
        record["highest"] = max(record["highest"], other.record["highest"])
        return replace(
            self, record=record, count=self.count + other.count, threads=self.threads | other.threads
        )

    @property
    def location(self) -> Location | None:
        """Where it happened."""
        return self.outcome.program.locations[int(self.record["pc"])]

    @property
    def other_location(self) -> Location | None:
        """Where the other party of a pair was."""
        pc = int(self.record["other_pc"])
        return self.outcome.program.locations[pc] if pc >= 0 else None

    def sync_location(self, field: str) -> Location | None:
        """Where what synchronised before or between the parties of a pair stands: ``before_pc`` or ``between_pc``."""
        pc = int(self.record[field])
        return self.outcome.program.locations[pc] if pc >= 0 else None

    def sync_op(self, field: str) -> Op | None:
        """What it is; ``None`` where there is nothing."""
        pc = int(self.record[field])
        return Op(int(self.outcome.program.code[pc]["op"])) if pc >= 0 else None

    @property
    def who(self) -> str:
        """The first thread it happened to."""
        thread = thread_name(self.outcome.shape.block, int(self.record["thread"]))
        return f"{thread} of {self.block}"

    @property
    def block(self) -> str:
        """The block of that thread."""
        return block_name(self.outcome.shape.grid, int(self.record["block"]))

    @property
    def culprits(self) -> str:
        """How many threads it happened to and which was first."""
        count = count_threads(self.threads)
        return self.who if count <= 1 else f"{count:,} threads, the first of them {self.who}"

    @property
    def other(self) -> str:
        """The other thread of a pair, with its block where that is another one."""
        shape = self.outcome.shape
        thread = thread_name(shape.block, int(self.record["other_thread"]))
        block = int(self.record["other_block"])
        return (
            thread if block == int(self.record["block"]) else f"{thread} of {block_name(shape.grid, block)}"
        )

    @property
    def between_blocks(self) -> bool:
        """Whether the two parties are in different blocks."""
        return int(self.record["block"]) != int(self.record["other_block"])

    @property
    def has_grid_barrier(self) -> bool:
        """Whether the kernel waits for its whole grid somewhere, so it is launched cooperatively."""
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
        """The address it is about."""
        return int(self.record["address"])

    @property
    def is_numba(self) -> bool:
        """Whether the line is in Python."""
        return self.location is not None and self.location.file.endswith(".py")

    @property
    def in_shared_memory(self) -> bool:
        """Whether the place meant is in shared memory."""
        return int(self.record["space"]) == Space.SHARED or int(self.record["window"]) == SHARED_WINDOW

    @property
    def in_local_memory(self) -> bool:
        """Whether the place meant is in a thread's own memory."""
        return int(self.record["space"]) == Space.LOCAL

    def does(self, *, other: bool = False) -> str:
        """``reads``, ``writes`` or ``updates``."""
        pc = int(self.record["other_pc" if other else "pc"])
        return _DOES.get(int(self.outcome.program.code[pc]["op"]), "updates")

    def target(self) -> str:
        """The buffer or array that was meant, as far as the address tells."""
        window = int(self.record["window"])
        if self.in_shared_memory:
            return self._shared_array()[0]
        if int(self.record["space"]) == Space.LOCAL:
            return "the thread's local memory"
        if window == HEAP_WINDOW:
            return "memory from malloc"
        region = self.memory.regions.get(window)
        if region is None:
            return "no buffer at all"
        return f"{'variable' if window >= VARIABLE_WINDOW else 'buffer'} {variable_name(region.name)}"

    def distance(self) -> str:
        """How far outside the target the first access lies, and the furthest; empty where that cannot be said."""
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
        """Where the target starts and ends, in the addresses of the record."""
        window = int(self.record["window"])
        if self.in_shared_memory:
            _, start, size = self._shared_array()
            return start, start + size
        if int(self.record["space"]) == Space.LOCAL or window not in self.memory.regions:
            return None
        start = window_origin(window)
        return start, start + len(self.memory.regions[window].data)

    def _shared_array(self) -> tuple[str, int, int]:
        """The shared array at or before the address, with its start and size."""
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
    """How many bits are set."""
    return int(np.unpackbits(threads).sum())
