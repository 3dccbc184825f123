"""Rung `shared`: a block computes 32 elements of y, with a 32 x 32 tile of A and 32 elements of x in shared memory.

The tile is loaded along the rows, so A comes in coalesced. Then lane tx walks along row tx of the tile:
the unused column keeps the 32 rows in different banks. The 32 elements of x are loaded once and used by
all 32 rows; since all lanes want the same one at a time, reading them is a broadcast. What limits this
kernel now are the two barriers of each step: every warp waits for the slowest load of the tile, and
nothing else is in flight.
"""

# launch: matvec block=32,8 grid=ceil(rows/32)

from numba import cuda, float32

TILE = 32
PITCH = TILE + 1  # a shared array's shape must be made of constants: no sums inside the kernel
BLOCK_ROWS = 8


@cuda.jit
def matvec(a, x, y, rows, cols):
    """Compute y = A x, launched with blocks of 32 x 8 threads, 32 rows each."""
    tile = cuda.shared.array((TILE, PITCH), float32)
    part = cuda.shared.array(TILE, float32)

    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    row0 = cuda.blockIdx.x * TILE

    total = float32(0.0)
    for col0 in range(0, cols, TILE):
        inside = col0 + tx < cols
        for i in range(ty, TILE, BLOCK_ROWS):
            # Zeros stand in for what lies outside: they add nothing, and every thread reaches the barriers.
            tile[i, tx] = a[row0 + i, col0 + tx] if inside and row0 + i < rows else float32(0.0)
        if ty == 0:
            part[tx] = x[col0 + tx] if inside else float32(0.0)
        cuda.syncthreads()
        for i in range(ty, TILE, BLOCK_ROWS):
            total += tile[tx, i] * part[i]
        # Nobody may load the next tile while someone still reads this one.
        cuda.syncthreads()

    # Element tx is now in eight parts, one in each warp: the first adds them up.
    tile[ty, tx] = total
    cuda.syncthreads()
    if ty == 0 and row0 + tx < rows:
        for i in range(1, BLOCK_ROWS):
            total += tile[i, tx]
        y[row0 + tx] = total
