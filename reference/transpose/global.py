"""Rung `global`: each element goes straight from its row to its column.

The lanes of a warp read 32 neighbours of a row of A: 4 sectors of 32 bytes. They write down a column of B,
where neighbours are `rows` elements apart: 32 sectors for the same 128 bytes. One side of a direct
transpose is always scattered; choosing the other one only moves the problem.
"""

from numba import cuda

TILE = 32
BLOCK_ROWS = 8


@cuda.jit
def transpose(a, b, rows, cols):
    """B = A transposed: a block of 32 x 8 threads handles a 32 x 32 tile, four elements per thread."""
    col = cuda.blockIdx.x * TILE + cuda.threadIdx.x
    row0 = cuda.blockIdx.y * TILE + cuda.threadIdx.y
    for i in range(0, TILE, BLOCK_ROWS):
        row = row0 + i
        if row < rows and col < cols:
            b[col, row] = a[row, col]
