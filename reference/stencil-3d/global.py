"""Rung `global`: one thread per cell, seven reads from global memory.

A cell is read by seven threads; what the caches do not keep comes from memory more than once.
"""

from numba import cuda, float32, int32


@cuda.jit
def step(old, out, alpha, depth, rows, cols):
    col = int32(cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x)
    row = int32(cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y)
    z = int32(cuda.blockIdx.z)
    if row >= rows or col >= cols:
        return
    here = old[z, row, col]
    left = old[z, row, col - 1] if col > 0 else here
    right = old[z, row, col + 1] if col < cols - 1 else here
    up = old[z, row - 1, col] if row > 0 else here
    down = old[z, row + 1, col] if row < rows - 1 else here
    front = old[z - 1, row, col] if z > 0 else here
    back = old[z + 1, row, col] if z < depth - 1 else here
    out[z, row, col] = here + alpha * (left + right + up + down + front + back - float32(6.0) * here)
