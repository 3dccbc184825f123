"""Rung `expert`: four rows at a time, so that each element of x is loaded once for four of A.

A team of threads takes four rows and keeps four sums in registers, so a step has five loads under way for
four multiply-adds, where `warp` has two for one. A team is the whole block for rows of 512 elements or
more, so that a matrix with few rows still fills the device, and a warp for shorter ones, which would leave
most of a block idle. What is left is the bandwidth of memory: each element of A is used once, and no kernel
can change that. CUDA C can also load four neighbouring elements with one instruction; Numba has no such load.
"""

# launch: matvec block=128 grid=ceil(rows/(4*(1+3*min(1,511//cols))))

from numba import cuda, float32

WARPS = 4
ROWS = 4
WIDE = 512


@cuda.jit(device=True)
def sum_of_warp(value):
    """The sum of the 32 lanes' values, in every lane."""
    distance = 16
    while distance > 0:
        value += cuda.shfl_xor_sync(0xFFFFFFFF, value, distance)
        distance //= 2
    return value


@cuda.jit
def matvec(a, x, y, rows, cols):
    """Compute y = A x, four rows a team; a team is a warp or the whole block."""
    parts = cuda.shared.array((WARPS, ROWS), float32)

    me = cuda.threadIdx.x
    lane = me % 32
    warp = me // 32
    wide = cols >= WIDE
    first = (cuda.blockIdx.x if wide else cuda.blockIdx.x * WARPS + warp) * ROWS
    member = me if wide else lane
    members = cuda.blockDim.x if wide else 32

    # A row that does not exist is replaced by the last one: loading it again is harmless, and the loop needs
    # no condition for it.
    row0 = min(first, rows - 1)
    row1 = min(first + 1, rows - 1)
    row2 = min(first + 2, rows - 1)
    row3 = min(first + 3, rows - 1)
    sum0 = float32(0.0)
    sum1 = float32(0.0)
    sum2 = float32(0.0)
    sum3 = float32(0.0)
    for col in range(member, cols, members):
        of_x = x[col]
        sum0 += a[row0, col] * of_x
        sum1 += a[row1, col] * of_x
        sum2 += a[row2, col] * of_x
        sum3 += a[row3, col] * of_x

    sum0 = sum_of_warp(sum0)
    sum1 = sum_of_warp(sum1)
    sum2 = sum_of_warp(sum2)
    sum3 = sum_of_warp(sum3)
    if lane == 0:
        parts[warp, 0] = sum0
        parts[warp, 1] = sum1
        parts[warp, 2] = sum2
        parts[warp, 3] = sum3
    cuda.syncthreads()

    # The block's first threads write: one for each row of the block.
    rows_of_block = ROWS if wide else ROWS * WARPS
    mine = cuda.blockIdx.x * rows_of_block + me
    if me < rows_of_block and mine < rows:
        total = parts[me // ROWS, me % ROWS]
        if wide:
            for w in range(1, WARPS):
                total += parts[w, me]
        y[mine] = total
