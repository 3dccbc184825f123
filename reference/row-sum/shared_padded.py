"""Rung `shared_padded`: `shared` with one unused column in the tile.

Rows are now 33 floats apart, so element [row, col] lies in bank (row + col) % 32, and the 32 elements of a
column in 32 different banks: the reads down the columns no longer conflict. What limits it now is how little is
on its way: 32 rows keep only one block busy, and between two barriers a thread asks for just four numbers.
"""

from numba import cuda, float32
from tile import BLOCK_ROWS, PADDED, TILE, load_tile


@cuda.jit
def row_sum_shared_padded(a, out, rows, cols):
    """Sum of each row, launched with blocks of 32 x 8 threads, 32 rows each."""
    tile = cuda.shared.array((TILE, PADDED), float32)

    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    row0 = cuda.blockIdx.x * TILE

    total = float32(0.0)
    for col0 in range(0, cols, TILE):
        load_tile(tile, a, rows, cols, row0, col0, float32(0.0))  # zeros add nothing
        cuda.syncthreads()
        for i in range(ty, TILE, BLOCK_ROWS):
            total += tile[tx, i]
        # Nobody may load the next tile while someone still reads this one.
        cuda.syncthreads()

    # Row tx is now in eight parts, one in each thread of column tx of the block: the first adds them up.
    tile[ty, tx] = total
    cuda.syncthreads()
    if ty == 0 and row0 + tx < rows:
        for i in range(1, BLOCK_ROWS):
            total += tile[i, tx]
        out[row0 + tx] = total
