"""The limits of a device that CUDA checks before a kernel starts."""

from grader.compile.occupancy import occupancy
from grader.model.device import Device
from grader.model.module import KernelResources
from grader.model.plan import Dim3, LaunchShape

MAX_GRID = Dim3(x=2**31 - 1, y=65535, z=65535)
"""Blocks per dimension on every device of compute capability 3.0 or later (CUDA C++ Programming Guide)."""

MAX_BLOCK_Z = 64
"""Threads along z in one block; along x and y the limit is that of the whole block."""


def launch_problem(device: Device, shape: LaunchShape, resources: KernelResources) -> str | None:
    """Why ``device`` refuses to launch ``shape``, for a student; ``None`` where it does not.

    ``resources`` are the kernel's static needs; ``shape.shared_bytes`` is added to them.
    """
    grid, block = shape.grid, shape.block
    most_threads = min(device.max_threads_per_block, resources.max_threads or device.max_threads_per_block)
    if min(grid.x, grid.y, grid.z) < 1:
        return f"the grid {grid} is empty; every extent must be at least 1"
    if min(block.x, block.y, block.z) < 1:
        return f"the block {block} is empty; every extent must be at least 1"
    if block.size > most_threads:
        return f"the block {block} has {block.size} threads; at most {most_threads} are allowed"
    if block.z > MAX_BLOCK_Z:
        return f"the block {block} is {block.z} deep; at most {MAX_BLOCK_Z} threads are allowed along z"
    if grid.x > MAX_GRID.x or grid.y > MAX_GRID.y or grid.z > MAX_GRID.z:
        return f"the grid {grid} is too large; at most {MAX_GRID} blocks are allowed"
    return _resource_problem(device, shape, resources)


def _resource_problem(device: Device, shape: LaunchShape, resources: KernelResources) -> str | None:
    shared = shape.shared_bytes + resources.shared_bytes
    if shape.shared_bytes < 0 or shared > device.shared_bytes_per_block:
        return (
            f"a block asks for {shared} bytes of shared memory; {device.name} gives a block at most"
            f" {device.shared_bytes_per_block}"
        )
    threads, registers = shape.block.size, resources.registers
    if occupancy(device, threads, registers, shared).active_blocks == 0:
        return (
            f"a block of {threads} threads at {registers} registers each asks for more than the"
            f" {device.registers_per_sm} registers of an SM; use smaller blocks"
        )
    return None
