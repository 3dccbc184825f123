"""Rung `shared_padded`: `shared` with one unused column in the tile.

Element [row, col] of the tile now lies in bank (row + col) % 32, so the reads down its columns, which add up the
rows of the matrix, no longer meet in one bank. The half that adds up the matrix's columns is the same as in `shared`:
it never read down a column of the tile, and padding gives it nothing. Now that half takes about as long as the
other; each reads the whole matrix once.
"""

from numba import cuda, float32
from tile import BLOCK_ROWS, PADDED, TILE, load_tile


@cuda.jit
def row_mean_shared_padded(a, row_means, column_means, rows, cols):
    """Means of rows and columns, launched with blocks of 32 x 8 threads, 32 rows and 32 columns each."""
    tile = cuda.shared.array((TILE, PADDED), float32)

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
