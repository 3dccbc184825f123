"""Rung `votes`: the threads of a block vote whether a cell moves, and one of them says so: an atomic per block."""

from numba import cuda, float32, int32


@cuda.jit
def sweep(heat, source, after, moving, loss, least, rows, cols):
    col = int32(cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x)
    row = int32(cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y)
    moves = 0
    if row < rows and col < cols:
        cold = float32(0.0)
        left = heat[row, col - 1] if col > 0 else cold
        right = heat[row, col + 1] if col < cols - 1 else cold
        up = heat[row - 1, col] if row > 0 else cold
        down = heat[row + 1, col] if row < rows - 1 else cold
        value = (left + right + up + down + source[row, col]) / (float32(4.0) + loss)
        after[row, col] = value
        if abs(value - heat[row, col]) > least:
            moves = 1
    if cuda.syncthreads_or(moves) and cuda.threadIdx.x == 0 and cuda.threadIdx.y == 0:
        cuda.atomic.exch(moving, 0, 1)
