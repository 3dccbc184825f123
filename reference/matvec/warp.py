"""Rung `warp`: one warp computes one element of y.

The lanes read 32 neighbouring elements of the row and of x at each step: coalesced without a tile, and
without a barrier, so that the loads of several steps can be under way at once. At the end the 32 partial
sums are added up by shuffles, from register to register. A row shorter than 32 elements leaves lanes
idle, and the shuffles cost the same for every row. What limits this kernel on long rows is that half of
its loads are for x, which each row reads all over again: too few loads of A are under way at a time.
"""

# launch: matvec block=256 grid=ceil(rows/8)

from numba import cuda, float32


@cuda.jit
def matvec(a, x, y, rows, cols):
    """Compute y = A x, one warp per row."""
    lane = cuda.threadIdx.x % 32
    row = cuda.blockIdx.x * (cuda.blockDim.x // 32) + cuda.threadIdx.x // 32
    if row >= rows:
        return

    total = float32(0.0)
    for col in range(lane, cols, 32):
        total += a[row, col] * x[col]
    distance = 16
    while distance > 0:
        total += cuda.shfl_down_sync(0xFFFFFFFF, total, distance)
        distance //= 2
    if lane == 0:
        y[row] = total
