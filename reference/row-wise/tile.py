"""What every row-wise lab's `shared` and `shared_padded` do alike: a block of 32 x 8 threads loads a tile."""

from numba import cuda

TILE = 32
PADDED = TILE + 1  # a shared array's shape must be made of constants: no sums inside the kernel
BLOCK_ROWS = 8


@cuda.jit(device=True)
def load_tile(tile, a, rows, cols, row0, col0, outside):
    """Load the 32 x 32 elements from a[row0, col0] on; `outside` stands in for those beyond the matrix.

    So every thread has something to store and reaches the barrier. A warp reads 32 neighbours of a row:
    coalesced. It writes them into 32 neighbours of the tile: no conflicts, whatever the pitch. The barriers
    are the caller's.
    """
    tx = cuda.threadIdx.x
    col = col0 + tx
    for i in range(cuda.threadIdx.y, TILE, BLOCK_ROWS):
        row = row0 + i
        tile[i, tx] = a[row, col] if row < rows and col < cols else outside
