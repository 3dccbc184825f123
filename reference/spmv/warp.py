"""Rung `warp`: one warp computes one element of y.

The lanes read 32 neighbouring values and columns of the row at each step: coalesced, and a long row takes
a 32nd of the steps. Only the elements of x lie scattered, wherever the columns point. At the end the 32
partial sums are added up by shuffles, from register to register. What limits this kernel are the short
rows: four nonzeros, or none, keep a whole warp busy for as long as 32 would. And a row of many thousands
is still the work of one warp.
"""

# launch: spmv block=256 grid=ceil(rows/8)

from numba import cuda, float32


@cuda.jit
def spmv(row_starts, columns, values, x, y, rows):
    """Compute y = A x, A in CSR, one warp per row."""
    lane = cuda.threadIdx.x % 32
    row = cuda.blockIdx.x * (cuda.blockDim.x // 32) + cuda.threadIdx.x // 32
    if row >= rows:
        return

    total = float32(0.0)
    for i in range(row_starts[row] + lane, row_starts[row + 1], 32):
        total += values[i] * x[columns[i]]
    distance = 16
    while distance > 0:
        total += cuda.shfl_down_sync(0xFFFFFFFF, total, distance)
        distance //= 2
    if lane == 0:
        y[row] = total
