"""Rung `shared`: a block walks along its 32 rows with a 32 x 32 tile in shared memory.

The tile is loaded along the rows (coalesced), then read down its columns: lane tx adds elements of row tx.
In a (32, 32) array of float32 a column lies in a single bank, so each of those reads is a 32-way conflict:
the time saved on global memory is partly lost again.
"""

from numba import cuda, float32
from tile import BLOCK_ROWS, TILE, load_tile


@cuda.jit
def row_sum_shared(a, out, rows, cols):
    """Sum of each row, launched with blocks of 32 x 8 threads, 32 rows each."""
    tile = cuda.shared.array((TILE, TILE), float32)

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
