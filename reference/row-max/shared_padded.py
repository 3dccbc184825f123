"""Rung `shared_padded`: the rows of the tile are 33 floats apart instead of 32.

Now lane tx finds element i of its row in bank (tx + i) % 32: another one for every lane. The column that is unused
costs 128 bytes and saves 31 of 32 turns. What is left is that the block waits at two barriers for every 32 columns,
with four loads of a thread on their way at most.
"""

import math

from numba import cuda, float32
from tile import BLOCK_ROWS, PADDED, TILE, load_tile

# Nothing is smaller: it loses against every element, and stands for those outside the matrix as well.
NOTHING = float32(-math.inf)


@cuda.jit
def row_max_shared_padded(a, out, rows, cols):
    """Largest element of each row, launched with blocks of 32 x 8 threads, 32 rows each."""
    tile = cuda.shared.array((TILE, PADDED), float32)

    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    row0 = cuda.blockIdx.x * TILE

    largest = NOTHING
    for col0 in range(0, cols, TILE):
        load_tile(tile, a, rows, cols, row0, col0, NOTHING)
        cuda.syncthreads()
        for i in range(ty, TILE, BLOCK_ROWS):
            largest = max(largest, tile[tx, i])
        # The next tile may not come before all have looked at this one.
        cuda.syncthreads()

    # Eight threads know the largest of an eighth of row tx each. Their candidates meet in the tile.
    tile[ty, tx] = largest
    cuda.syncthreads()
    if ty == 0 and row0 + tx < rows:
        for i in range(1, BLOCK_ROWS):
            largest = max(largest, tile[i, tx])
        out[row0 + tx] = largest
