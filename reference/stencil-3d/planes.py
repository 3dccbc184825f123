"""Rung `planes`: a thread marches through eight planes.

The cells in front of and behind it are those that it has read already or will need next, so they wait in registers.
"""

# launch: step block=32,8 grid=ceil(cols/32),ceil(rows/8),ceil(depth/8)

from numba import cuda, float32, int32

PLANES = 8


@cuda.jit
def step(old, out, alpha, depth, rows, cols):
    col = int32(cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x)
    row = int32(cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y)
    if row >= rows or col >= cols:
        return
    first = int32(cuda.blockIdx.z * PLANES)
    here = old[first, row, col]
    front = old[first - 1, row, col] if first > 0 else here
    for z in range(first, min(depth, first + PLANES)):
        back = old[z + 1, row, col] if z < depth - 1 else here
        left = old[z, row, col - 1] if col > 0 else here
        right = old[z, row, col + 1] if col < cols - 1 else here
        up = old[z, row - 1, col] if row > 0 else here
        down = old[z, row + 1, col] if row < rows - 1 else here
        out[z, row, col] = here + alpha * (left + right + up + down + front + back - float32(6.0) * here)
        front = here
        here = back
