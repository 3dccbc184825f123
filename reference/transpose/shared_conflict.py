"""Rung `shared_conflict`: turned round in shared memory, both global accesses run along rows.

Reading a row of A and writing a row of B are now both coalesced. But `tile[tx, i]` walks down a column of
the tile, and in a (32, 32) array of float32 a whole column lies in one of the 32 banks: each such read is
served 32 times over.
"""

from numba import cuda, float32

TILE = 32
BLOCK_ROWS = 8


@cuda.jit
def transpose(a, b, rows, cols):
    """B = A transposed, launched with blocks of 32 x 8 threads, a tile each."""
    tile = cuda.shared.array((TILE, TILE), float32)

    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    col0 = cuda.blockIdx.x * TILE
    row0 = cuda.blockIdx.y * TILE

    for i in range(ty, TILE, BLOCK_ROWS):
        if row0 + i < rows and col0 + tx < cols:
            tile[i, tx] = a[row0 + i, col0 + tx]
    # From here on each thread reads what others have loaded.
    cuda.syncthreads()

    # The tile's place in B: rows and columns have changed roles, and so have their bounds.
    for i in range(ty, TILE, BLOCK_ROWS):
        if col0 + i < cols and row0 + tx < rows:
            b[col0 + i, row0 + tx] = tile[tx, i]
