"""The limits of a device that CUDA checks before a kernel starts."""

from grader.compile.occupancy import occupancy
from grader.model.device import Device
from grader.model.module import KernelResources
from grader.model.plan import Dim3, LaunchShape
from grader.model.reason import Reason, bounded, reason

MAX_GRID = Dim3(x=2**31 - 1, y=65535, z=65535)
"""Blocks per dimension on every device of compute capability 3.0 or later (CUDA C++ Programming Guide)."""

MAX_BLOCK_Z = 64
"""Threads along z in one block; along x and y the limit is that of the whole block."""


def launch_problem(
    device: Device, shape: LaunchShape, resources: KernelResources, *, cooperative: bool = False
) -> Reason | None:
    """Why ``device`` refuses to launch ``shape``, for a student; ``None`` where it does not.

    ``resources`` are the kernel's static needs; ``shape.shared_bytes`` is added to them. ``cooperative``: the kernel
    waits for its whole grid, so all blocks must fit on the device at once.
    """
    grid, block = shape.grid, shape.block
    most_threads = min(device.max_threads_per_block, resources.max_threads or device.max_threads_per_block)
    if min(grid.x, grid.y, grid.z) < 1:
        return reason("empty-grid", grid=str(grid))
    if min(block.x, block.y, block.z) < 1:
        return reason("empty-block", block=str(block))
    if block.size > most_threads:
        return reason("too-many-threads", block=str(block), threads=bounded(block.size), most=most_threads)
    if block.z > MAX_BLOCK_Z:
        return reason("too-deep-block", block=str(block), depth=bounded(block.z), most=MAX_BLOCK_Z)
    if grid.x > MAX_GRID.x or grid.y > MAX_GRID.y or grid.z > MAX_GRID.z:
        return reason("too-large-grid", grid=str(grid), most=str(MAX_GRID))
    return _resource_problem(device, shape, resources, cooperative=cooperative)


def _resource_problem(
    device: Device, shape: LaunchShape, resources: KernelResources, *, cooperative: bool
) -> Reason | None:
    shared = shape.shared_bytes + resources.shared_bytes
    if shape.shared_bytes < 0 or shared > device.shared_bytes_per_block:
        return reason(
            "too-much-shared-memory",
            bytes=bounded(shared),
            device=device.name,
            most=device.shared_bytes_per_block,
        )
    threads, registers, grid_blocks = shape.block.size, resources.registers, shape.grid.size
    active = occupancy(device, threads, registers, shared).active_blocks
    if active == 0:
        return reason(
            "too-many-registers", threads=threads, registers=registers, most=device.registers_per_sm
        )
    if cooperative and grid_blocks > active * device.sm_count:
        return reason("cooperative-too-large", blocks=bounded(grid_blocks), most=active * device.sm_count)
    return None
