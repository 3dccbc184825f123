import math

from numba import cuda, float32


@cuda.jit("void(float32[:, ::1], float32[::1], int32, int32)")
def row_min_global(a, out, rows, cols):
    row = cuda.grid(1)
    if row < rows:
        best = a[row, 0]
        for col in range(1, cols):
            best = min(best, a[row, col])
        out[row] = best


@cuda.jit(device=True)
def smallest_of_row(column, a, out, cols):
    """A block for each row; `column` holds one number per thread."""
    t = cuda.threadIdx.x
    row = cuda.blockIdx.x
    best = float32(math.inf)
    for col in range(t, cols, cuda.blockDim.x):
        best = min(best, a[row, col])
    column[t] = best
    cuda.syncthreads()
    if t < 32:
        for other in range(t + 32, 128, 32):
            best = min(best, column[other])
        for distance in (16, 8, 4, 2, 1):
            best = min(best, cuda.shfl_down_sync(0xFFFFFFFF, best, distance))
        if t == 0:
            out[row] = best


# launch: row_min_shared block=128 grid=rows
@cuda.jit
def row_min_shared(a, out, rows, cols):
    column = cuda.shared.array(128, float32)
    smallest_of_row(column, a, out, cols)


# launch: row_min_shared_padded block=128 grid=rows
@cuda.jit
def row_min_shared_padded(a, out, rows, cols):
    column = cuda.shared.array(129, float32)
    smallest_of_row(column, a, out, cols)
