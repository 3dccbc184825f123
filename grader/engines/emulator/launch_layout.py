"""The interpreter's context for one launch: the array or number of every field."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.engines.emulator.arrays import aligned_bytes, aligned_records
from grader.engines.emulator.core.codes import Op, Space
from grader.engines.emulator.core.exchange import GATHER_SLOTS
from grader.engines.emulator.core.records import EVENT, HITS, MAX_COUNTED_THREADS, MAX_EVENTS
from grader.engines.emulator.core.sync_records import (
    ACQUISITION,
    MAX_ACQUISITIONS,
    MAX_RELEASES,
    RELEASE,
    SYNC,
    SYNCS,
)
from grader.engines.emulator.core.traffic import TRAFFIC_SCRATCH_BYTES
from grader.engines.emulator.core.traffic_records import ATOMIC_WORDS, MAX_SAMPLES, SAMPLE, TRAFFIC
from grader.engines.emulator.decode.program import Program
from grader.engines.emulator.decode.variables import PARAMETER_WINDOW
from grader.engines.emulator.device_face import DeviceFace
from grader.engines.emulator.isa.cells import WARP
from grader.engines.emulator.launch_constants import (
    THREAD_ROW_BYTES,
    constant_rows,
    emulated_shared_bytes,
    shared_owners,
    thread_rows,
)
from grader.engines.emulator.memory_map import POISON_WORD, DeviceMemory
from grader.engines.emulator.order import Order
from grader.model.plan import LaunchShape


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchInputs:
    """Inputs of a launch. Keep it alive with the context, which has the address of ``parameters``."""

    program: Program
    shape: LaunchShape
    memory: DeviceMemory
    parameters: NDArray[np.uint8]
    order: Order
    face: DeviceFace
    diagnose: bool

    @property
    def warps(self) -> int:
        """Warps of a block."""
        return -(-self.shape.block.size // WARP)

    @property
    def shared_bytes(self) -> int:
        """Bytes of a block's shared memory in the emulated layout."""
        return emulated_shared_bytes(self.program, self.shape.shared_bytes)

    def logged(self, most: int) -> int:
        """Records of a log with ``most`` entries from 1 on, which only a diagnosed program with fences needs."""
        return most + 1 if self.diagnose and Op.FENCE in self.program.ops else 0

    @property
    def event_threads_bytes(self) -> int:
        """Bytes that hold one bit for each thread of the grid, up to ``MAX_COUNTED_THREADS``."""
        return -(-min(self.shape.grid.size * self.shape.block.size, MAX_COUNTED_THREADS) // 8)


def _code(launch: LaunchInputs) -> NDArray[Any]:
    code = aligned_records(launch.program.code.dtype, len(launch.program.code))
    code[:] = launch.program.code
    return code


def _traffic(launch: LaunchInputs) -> NDArray[Any]:
    traffic = aligned_records(TRAFFIC, len(launch.program.code) + 1)
    if launch.program.flow is not None:
        traffic["flow"][:-1] = launch.program.flow
    return traffic


def _event_threads(launch: LaunchInputs) -> NDArray[Any]:
    return aligned_bytes(MAX_EVENTS * launch.event_threads_bytes).reshape(MAX_EVENTS, -1)


ARRAYS: dict[str, Callable[[LaunchInputs], NDArray[Any]]] = {
    "code": _code,
    "windows": lambda launch: launch.memory.windows(PARAMETER_WINDOW, launch.parameters),
    "events": lambda _: aligned_records(EVENT, MAX_EVENTS),
    "event_threads": _event_threads,
    "traffic": _traffic,
    "atomic_words": lambda _: aligned_bytes(8 * ATOMIC_WORDS).view(np.int64),
    "samples": lambda _: aligned_records(SAMPLE, MAX_SAMPLES),
    "syncs": lambda _: aligned_records(SYNC, SYNCS),
    "hits": lambda launch: aligned_records(HITS, len(launch.program.code) + 1),
    "constants": lambda launch: constant_rows(launch.program, launch.face, launch.parameters.tobytes()),
    "operands": lambda launch: launch.program.operands,
    "thread_rows": lambda launch: thread_rows(launch.shape, launch.warps),
    "shared_owner": lambda launch: shared_owners(
        launch.program, launch.shape.shared_bytes, launch.shared_bytes
    ),
    "scratch": lambda _: aligned_bytes(TRAFFIC_SCRATCH_BYTES),
    "gathered_last": lambda _: np.zeros(GATHER_SLOTS, np.int64),
    "releases": lambda launch: aligned_records(RELEASE, launch.logged(MAX_RELEASES)),
    "acquisition_log": lambda launch: aligned_records(ACQUISITION, launch.logged(MAX_ACQUISITIONS)),
}
"""Fields of ``CONTEXT`` that hold the host address of an array, and the functions that make the arrays."""

VALUES: dict[str, Callable[[LaunchInputs], int]] = {
    "blocks": lambda launch: launch.shape.grid.size,
    "grid_x": lambda launch: launch.shape.grid.x,
    "grid_y": lambda launch: launch.shape.grid.y,
    "block_threads": lambda launch: launch.shape.block.size,
    "warps": lambda launch: launch.warps,
    "entry": lambda launch: launch.program.entry,
    "block_rows": lambda launch: launch.program.block_rows,
    "thread_row_bytes": lambda _: THREAD_ROW_BYTES,
    "frame_bytes": lambda launch: launch.program.frame_bytes,
    "local_bytes": lambda launch: launch.program.local_bytes,
    "shared_bytes": lambda launch: launch.shared_bytes,
    "poison": lambda _: POISON_WORD,
    "diagnose": lambda launch: int(launch.diagnose),
    "narrow_shared": lambda launch: int(launch.program.has_narrow_accesses(Space.SHARED)),
    "event_threads_bytes": lambda launch: launch.event_threads_bytes,
    "stamp": lambda launch: launch.memory.stamp,
    "launch_stamp": lambda launch: launch.memory.stamp + 1,
    "last_block": lambda launch: launch.shape.grid.size,
    "version": lambda _: 1,
    "first_block": lambda launch: launch.order.first_block,
    "block_stride": lambda launch: launch.order.block_stride,
    "first_lane": lambda launch: launch.order.first_lane,
    "lane_stride": lambda launch: launch.order.lane_stride,
    "quantum": lambda launch: launch.order.quantum,
    "sm_count": lambda launch: launch.face.sm_count,
    "sm_stride": lambda launch: launch.face.sm_stride,
    "blocks_per_sm": lambda launch: launch.face.blocks_per_sm,
    "clock_start": lambda launch: launch.face.clock_start,
    "timer_start": lambda launch: launch.face.timer_start,
    "heap_owner": lambda launch: launch.memory.heap_owners,
}
"""Fields of ``CONTEXT`` that hold a number, and the functions that give it."""
