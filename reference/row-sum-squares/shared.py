"""Rung `shared`: 32 rows a block, through a 32 x 32 tile in shared memory.

Each warp loads 32 neighbours of a row, so global memory is read in whole sectors. The squares are taken on the way
out of the tile, where lane tx reads row tx: down a column, and in a [32][32] array of floats a column lies in
a single bank. Each of those reads takes 32 turns.
"""

from numba import cuda, float32
from tile import BLOCK_ROWS, TILE, load_tile


@cuda.jit
def row_sum_squares_shared(a, out, rows, cols):
    """Sum of the squares of each row, launched with blocks of 32 x 8 threads, 32 rows each."""
    tile = cuda.shared.array((TILE, TILE), float32)

    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    row0 = cuda.blockIdx.x * TILE

    total = float32(0.0)
    for col0 in range(0, cols, TILE):
        load_tile(tile, a, rows, cols, row0, col0, float32(0.0))  # the square of nothing adds nothing
        cuda.syncthreads()
        for i in range(ty, TILE, BLOCK_ROWS):
            x = tile[tx, i]
            total += x * x
        # The slowest warp must have read the tile before the fastest loads the next.
        cuda.syncthreads()

    # Eight threads have a part of row tx each. These are sums of squares already: they are only added.
    tile[ty, tx] = total
    cuda.syncthreads()
    if ty == 0 and row0 + tx < rows:
        for i in range(1, BLOCK_ROWS):
            total += tile[i, tx]
        out[row0 + tx] = total
