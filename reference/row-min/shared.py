"""Rung `shared`: the rows pass through shared memory, 32 columns at a time.

The way in is coalesced: a warp stores 32 neighbours of a row. The way out is not free of trouble: for the 32 lanes to
work on 32 rows they have to read down a column of the tile. Its elements are 32 floats apart and so share a bank.
Global memory is used well, shared memory 32 times over.
"""

import math

from numba import cuda, float32
from tile import BLOCK_ROWS, TILE, load_tile

INFINITY = float32(math.inf)


@cuda.jit
def row_min_shared(a, out, rows, cols):
    """Smallest element of each row, launched with blocks of 32 x 8 threads, 32 rows each."""
    tile = cuda.shared.array((TILE, TILE), float32)

    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    row0 = cuda.blockIdx.x * TILE

    smallest = INFINITY
    for col0 in range(0, cols, TILE):
        # Beyond the matrix the tile holds +infinity. A 0 there would win in every row of positive numbers.
        load_tile(tile, a, rows, cols, row0, col0, INFINITY)
        cuda.syncthreads()
        for i in range(ty, TILE, BLOCK_ROWS):
            smallest = min(smallest, tile[tx, i])
        cuda.syncthreads()  # the tile is about to be overwritten

    # The tile is free now: thread (tx, ty) leaves there what it found in its eighth of row tx.
    tile[ty, tx] = smallest
    cuda.syncthreads()
    if ty == 0 and row0 + tx < rows:
        for eighth in range(1, BLOCK_ROWS):
            smallest = min(smallest, tile[eighth, tx])
        out[row0 + tx] = smallest
