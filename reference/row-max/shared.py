"""Rung `shared`: a block of 32 x 8 threads compares 32 rows, tile by tile.

Warps load along the rows, so that a load needs 4 sectors instead of 32. Then lane tx looks for the largest in row tx
of the tile, and that is where it is slow: 32 lanes read one column of a (32, 32) array, which lies in one bank, so a
read takes 32 turns.
"""

import math

from numba import cuda, float32
from tile import BLOCK_ROWS, TILE, load_tile

# Nothing is smaller: it loses against every element, and stands for those outside the matrix as well.
NOTHING = float32(-math.inf)


@cuda.jit
def row_max_shared(a, out, rows, cols):
    """Largest element of each row, launched with blocks of 32 x 8 threads, 32 rows each."""
    tile = cuda.shared.array((TILE, TILE), float32)

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
