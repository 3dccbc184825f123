"""Data that depend on a launch's shape: rows of special registers and parameters, and the shared memory layout."""

import numpy as np
from numpy.typing import NDArray

from grader.engines.emulator.arrays import aligned_bytes
from grader.engines.emulator.decode.program import Program
from grader.engines.emulator.device_face import DeviceFace
from grader.engines.emulator.isa.cells import WARP
from grader.model.plan import LaunchShape

_THREAD_ROWS = 4
_ROW = 4 * WARP

THREAD_ROW_BYTES = _THREAD_ROWS * _ROW
"""Bytes of one warp in ``thread_rows``."""


def constant_rows(program: Program, face: DeviceFace, parameters: bytes) -> NDArray[np.uint8]:
    """The program's constant area with a launch's special registers and parameters filled in."""
    area = aligned_bytes(len(program.constants))
    area[:] = np.frombuffer(program.constants or b"\0", np.uint8)
    for name, row in program.launch_rows.items():
        area[row : row + _ROW].view(np.int32)[:] = face.launch_values.get(name, 0)
    for item in program.parameters:
        raw = parameters[item.offset : item.offset + item.width]
        value = int.from_bytes(raw, "little", signed=item.signed)
        filled = (value & ((1 << (8 * item.cell)) - 1)).to_bytes(item.cell, "little") * WARP
        area[item.row : item.row + len(filled)] = np.frombuffer(filled, np.uint8)
    return area


def emulated_shared_bytes(program: Program, dynamic: int) -> int:
    """Bytes of the emulated layout, with gaps between the arrays; the launch sets ``dynamic`` of them."""
    ends = [array.offset + (dynamic if array.size is None else array.size) for array in program.shared]
    return -(-max(ends, default=0) // 4) * 4


def shared_owners(program: Program, dynamic: int, shared_bytes: int) -> NDArray[np.uint8]:
    """For each four bytes of shared memory the number of the array that owns them, from 1; 0 for gaps."""
    owners = aligned_bytes(shared_bytes // 4)
    for index, array in enumerate(program.shared):
        size = dynamic if array.size is None else array.size
        owners[array.offset // 4 : -(-(array.offset + size) // 4)] = index % 255 + 1
    return owners


def thread_rows(shape: LaunchShape, warps: int) -> NDArray[np.uint8]:
    """Rows of ``%tid.x``, ``.y``, ``.z`` and the index in the block for every warp."""
    rows = aligned_bytes(warps * THREAD_ROW_BYTES)
    table = rows.view(np.int32).reshape(warps, _THREAD_ROWS, WARP)
    thread = np.arange(warps * WARP, dtype=np.int64).reshape(warps, WARP)
    x, y = shape.block.x, shape.block.y
    table[:, 0], table[:, 1], table[:, 2] = thread % x, thread // x % y, thread // (x * y)
    table[:, 3] = thread // WARP
    return rows
