"""Rung `shared_padded`: `shared` with rows of 33 floats, of which 32 are used.

Element [row][col] now lies in bank (row + col) % 32: the 32 lanes that read down a column find 32 different banks,
and all are served at once. What is left is waiting: between two barriers a thread has four loads on their way,
and 1000 rows make only 32 blocks.
"""

from numba import cuda, float32
from tile import BLOCK_ROWS, PADDED, TILE, load_tile


@cuda.jit
def row_sum_squares_shared_padded(a, out, rows, cols):
    """Sum of the squares of each row, launched with blocks of 32 x 8 threads, 32 rows each."""
    tile = cuda.shared.array((TILE, PADDED), float32)

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
