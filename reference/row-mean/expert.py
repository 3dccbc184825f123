"""Rung `expert`: the first blocks take 8 columns each, all others a row each; 256 threads in a block.

A row is added up by a whole block, every thread with four loads on their way, and by warp shuffles. Eight columns are
as narrow as a band can be: 8 floats fill a sector, so no byte is read in vain, and there are many bands to keep the
device busy. A warp reads four rows of its band at once, every thread has four loads on their way. Bands have the
longest way to go, so they start first; the thousands of short rows fill the device around them.

The matrix is read twice, and that is the limit now. The rung in CUDA C reads it once: its blocks write down what they
have of each row and column and count themselves, and the last one adds up. For that it has global memory of its own,
as variables of the file; Numba knows no such variables, and the kernel gets no array but its results.
Nor is one width of a band the best for all: at 8192 columns there are blocks enough, and bands of 32 columns would
be a fifth faster; with 65536 rows of 1024 elements bands of 8 are more than twice as fast.
"""

from numba import cuda, float32
from rows import BLOCK, FULL_MASK, WARP, WARPS, fold_share, merge_block

BAND = 8
STEP = BLOCK // BAND  # rows of a band that the block reads at once


@cuda.jit(device=True)
def plus(total, x):
    """Another element, or another total."""
    return total + x


@cuda.jit(device=True)
def mean_of_row(a, row_means, row, cols):
    total = merge_block(fold_share(a, row, cols, 0.0, plus), 0.0, plus)
    if cuda.threadIdx.x == 0:
        row_means[row] = total / float32(cols)


@cuda.jit(device=True)
def means_of_columns(a, column_means, col0, rows, cols):
    of_warp = cuda.shared.array((WARPS, BAND), float32)

    lane = cuda.threadIdx.x % WARP
    warp = cuda.threadIdx.x // WARP
    col = col0 + lane % BAND

    total = float32(0.0)
    if col < cols:
        row = cuda.threadIdx.x // BAND
        while row + 3 * STEP < rows:
            x0 = a[row, col]
            x1 = a[row + STEP, col]
            x2 = a[row + 2 * STEP, col]
            x3 = a[row + 3 * STEP, col]
            total += x0
            total += x1
            total += x2
            total += x3
            row += 4 * STEP
        while row < rows:
            total += a[row, col]
            row += STEP
    # Every eighth lane has the same column: 32 lanes become eight.
    distance = WARP // 2
    while distance >= BAND:
        total += cuda.shfl_down_sync(FULL_MASK, total, distance)
        distance //= 2
    if lane < BAND:
        of_warp[warp, lane] = total
    cuda.syncthreads()
    if warp == 0 and lane < BAND and col < cols:
        for i in range(1, WARPS):
            total += of_warp[i, lane]
        column_means[col] = total / float32(rows)


# launch: row_mean_shared_padded block=256 grid=rows+ceil(cols/8)
@cuda.jit
def row_mean_shared_padded(a, row_means, column_means, rows, cols):
    """Means of rows and columns, launched with blocks of 256 threads: one per 8 columns, then one per row."""
    bands = (cols + BAND - 1) // BAND
    block = cuda.blockIdx.x
    if block < bands:
        means_of_columns(a, column_means, block * BAND, rows, cols)
    else:
        mean_of_row(a, row_means, block - bands, cols)
