"""Rung `shared_padded`: `shared_conflict` with one unused column in the tile.

Rows are now 33 floats apart, so element [row, col] lies in bank (row + col) % 32: a row and a column both
touch all 32 banks once, and no access conflicts. 128 bytes of shared memory buy that.
"""

from numba import cuda, float32

TILE = 32
PITCH = TILE + 1  # a shared array's shape must be made of constants: no sums inside the kernel
BLOCK_ROWS = 8


@cuda.jit
def transpose(a, b, rows, cols):
    """B = A transposed, launched with blocks of 32 x 8 threads, a tile each."""
    tile = cuda.shared.array((TILE, PITCH), float32)

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
