"""Rung `shared`: block b of 32 x 8 threads takes 32 rows and 32 columns, from 32 b on.

For the rows it loads tiles along the rows (coalesced) and reads them down their columns: lane tx adds elements of row
tx. In an array of 32 x 32 floats a column lies in a single bank, so each of those reads takes 32 turns.

For the columns a tile would change nothing, since a warp reads neighbours there anyway. Shared memory serves another
end: eight threads share a column, and their eight sums meet in it, row by row, without a conflict.
"""

from numba import cuda, float32
from tile import BLOCK_ROWS, TILE, load_tile


@cuda.jit
def row_mean_shared(a, row_means, column_means, rows, cols):
    """Means of rows and columns, launched with blocks of 32 x 8 threads, 32 rows and 32 columns each."""
    tile = cuda.shared.array((TILE, TILE), float32)

    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    first = cuda.blockIdx.x * TILE

    of_row = float32(0.0)
    # A block may have columns to add up and no rows. All its threads agree on that, so the barriers are safe.
    if first < rows:
        for col0 in range(0, cols, TILE):
            load_tile(tile, a, rows, cols, first, col0, float32(0.0))  # zeros add nothing
            cuda.syncthreads()
            for i in range(ty, TILE, BLOCK_ROWS):
                of_row += tile[tx, i]
            # Nobody may load the next tile while someone still reads this one.
            cuda.syncthreads()

    of_column = float32(0.0)
    if first + tx < cols:
        for row in range(ty, rows, BLOCK_ROWS):
            of_column += a[row, first + tx]

    # Each thread has an eighth of row and of column first + tx. One warp puts the rows together, another the columns.
    tile[ty, tx] = of_row
    tile[BLOCK_ROWS + ty, tx] = of_column
    cuda.syncthreads()
    if ty == 0 and first + tx < rows:
        for i in range(1, BLOCK_ROWS):
            of_row += tile[i, tx]
        # float32 / int32 would be divided as float64.
        row_means[first + tx] = of_row / float32(cols)
    if ty == BLOCK_ROWS - 1 and first + tx < cols:
        for i in range(BLOCK_ROWS - 1):
            of_column += tile[BLOCK_ROWS + i, tx]
        column_means[first + tx] = of_column / float32(rows)
