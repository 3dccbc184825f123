"""Allocate memory for resident blocks, up to a limit."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.engines.emulator.arrays import address_of, aligned_bytes, aligned_records
from grader.engines.emulator.core.codes import Space
from grader.engines.emulator.core.records import RESIDENT, WARP_STATE
from grader.engines.emulator.core.undefined_values import TAINT_BYTES_SHARE
from grader.engines.emulator.decode.program import Program
from grader.engines.emulator.isa.cells import WARP
from grader.engines.emulator.memory_map import shadow_for
from grader.model.plan import LaunchShape

MAX_RESIDENT_BYTES = 192 << 20
"""Limit for registers, local and shared memory of all resident blocks together; one block always fits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity:
    """The number of blocks that may be resident at once. ``by_memory``: memory of the emulator sets the limit."""

    blocks: int
    by_memory: bool


class ResidentBlocks:
    """The table of resident blocks. Keeps every array alive to which it contains an address."""

    def __init__(
        self, program: Program, shape: LaunchShape, shared_bytes: int, device_blocks: int, *, diagnose: bool
    ) -> None:
        """``shared_bytes`` are those of the emulated layout; ``device_blocks`` is how many blocks fit on the device."""
        warps = -(-shape.block.size // WARP)
        narrow = program.has_narrow_accesses(Space.SHARED)
        self._warps = warps
        self._sizes = {
            "frames": warps * program.frame_bytes,
            "local": warps * WARP * program.local_bytes,
            "local_init_stamps": warps * WARP * program.local_bytes if diagnose else 0,
            "shared": shared_bytes,
            "shared_shadow": len(shadow_for(shared_bytes, narrow=narrow)) if diagnose else 0,
            "shared_writers": shared_bytes if diagnose else 0,
            "shared_sources": shared_bytes if diagnose else 0,
            "taints": warps * program.frame_bytes // TAINT_BYTES_SHARE if diagnose else 0,
        }
        fitting = MAX_RESIDENT_BYTES // (sum(self._sizes.values()) + warps * WARP_STATE.itemsize)
        wanted = min(device_blocks, shape.grid.size)
        self.capacity = Capacity(blocks=max(1, min(wanted, fitting)), by_memory=fitting < wanted)
        self.table = aligned_records(RESIDENT, self.capacity.blocks)
        self._arrays: list[dict[str, NDArray[Any]]] = []
        self.add()

    def __len__(self) -> int:
        """Number of blocks that have memory."""
        return len(self._arrays)

    def add(self) -> None:
        """Allocate memory for one more block."""
        arrays: dict[str, NDArray[Any]] = {name: aligned_bytes(size) for name, size in self._sizes.items()}
        arrays["states"] = aligned_records(WARP_STATE, self._warps)
        for name, array in arrays.items():
            self.table[len(self._arrays)][name] = address_of(array)
        self._arrays.append(arrays)

    def warps_of(self, number: int) -> NDArray[Any]:
        """The states of a resident block's warps."""
        return self._arrays[number]["states"]


class TurnLog:
    """Start stamp and block of each turn, to name the block of an earlier access."""

    def __init__(self, capacity: int) -> None:
        """``capacity`` turns are kept before it must grow; 0 for no log."""
        self.stamps = np.zeros(capacity, np.int64)
        self.blocks = np.zeros(capacity, np.int64)

    def grow(self) -> None:
        """Double the capacity."""
        self.stamps = np.concatenate([self.stamps, np.zeros_like(self.stamps)])
        self.blocks = np.concatenate([self.blocks, np.zeros_like(self.blocks)])
