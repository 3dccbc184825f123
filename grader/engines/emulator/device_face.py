"""What the special registers of a launch report: the values that the imitated device gives a kernel."""

import math
from dataclasses import dataclass

from grader.compile.occupancy import occupancy
from grader.model.device import Device
from grader.model.plan import LaunchShape

_UP_FOR = 1 << 41
"""Cycles and nanoseconds that the device seems to have run before a launch: some tens of minutes."""

_EPOCH = 1_700_000_000_000_000_000
"""A date of ``%globaltimer``, in nanoseconds."""

_GRID = 3
"""``%gridid``: a context has launched other kernels before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceFace:
    """The device as one launch sees it.

    Block ``n`` runs on multiprocessor ``n * sm_stride % sm_count``; consecutive blocks go to different ones, as on a
    device. Each multiprocessor holds ``blocks_per_sm`` blocks of ``block_warps`` warps. ``launch_values`` are the
    special registers with one value for the whole launch.
    """

    sm_count: int
    sm_stride: int
    blocks_per_sm: int
    launch_values: dict[str, int]
    clock_start: int = _UP_FOR
    timer_start: int = _EPOCH + _UP_FOR

    @property
    def resident_blocks(self) -> int:
        """Blocks that the device holds at once."""
        return self.sm_count * self.blocks_per_sm


def face_of(device: Device, shape: LaunchShape, *, registers: int, shared_bytes: int) -> DeviceFace:
    """The face of ``device`` in a launch of ``shape``. ``shared_bytes`` is the static size per block."""
    shared = shape.shared_bytes + shared_bytes
    fit = occupancy(device, shape.block.size, registers, shared)
    total = -(-shared // device.shared_granularity) * device.shared_granularity
    return DeviceFace(
        sm_count=device.sm_count,
        sm_stride=_stride(device.sm_count),
        blocks_per_sm=max(1, fit.active_blocks),
        launch_values={
            **{f"ntid.{axis}": getattr(shape.block, axis) for axis in "xyz"},
            **{f"nctaid.{axis}": getattr(shape.grid, axis) for axis in "xyz"},
            "nwarpid": device.max_warps_per_sm,
            "nsmid": device.sm_count,
            "gridid": _GRID,
            "dynamic_smem_size": shape.shared_bytes,
            "total_smem_size": total,
            "aggr_smem_size": total + device.reserved_shared_per_block,
        },
    )


def _stride(count: int) -> int:
    """The least step above one that visits every multiprocessor; devices fill every second one first."""
    return next((step for step in range(2, count) if math.gcd(step, count) == 1), 1)
