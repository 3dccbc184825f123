"""Rung `shared_padded`: as `shared_conflict`, with one more column in the tile that is read by columns.

The column is never used. It moves each row of `ats` on by one bank, so the elements of a column, TILE + 1 = 33 floats
apart, lie in 32 different banks, and those of a row still do: loading and multiplying both take one pass.

With 16 x 16 tiles one column is not quite enough today. A warp is then two rows of threads. They read without a
conflict; but when they store rows of 17, the last element of one lies 32 floats after the first of the other, in the
same bank. A tile as wide as there are banks has no such seam.

What limits it now: two loads from shared memory for each multiply-add.
"""

from numba import cuda, float32

TILE = 32
PITCH = TILE + 1  # one column that is never used; a shared array's shape must be made of constants


@cuda.jit
def matmul_transposed(a, c, m, k):
    """C = A·Aᵀ, launched with blocks of TILE x TILE threads."""
    own = cuda.shared.array((TILE, TILE), float32)
    ats = cuda.shared.array((TILE, PITCH), float32)

    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    col0 = cuda.blockIdx.x * TILE
    row = cuda.blockIdx.y * TILE + ty

    total = float32(0.0)
    for step in range(0, k, TILE):
        inside = step + tx < k
        own[ty, tx] = a[row, step + tx] if inside and row < m else float32(0.0)
        ats[ty, tx] = a[col0 + ty, step + tx] if inside and col0 + ty < m else float32(0.0)
        cuda.syncthreads()

        for i in range(TILE):
            total += own[ty, i] * ats[tx, i]
        cuda.syncthreads()

    if row < m and col0 + tx < m:
        c[row, col0 + tx] = total
