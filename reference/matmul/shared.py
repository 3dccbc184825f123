"""Rung `shared`: a block computes a TILE x TILE patch of C from tiles of A and B in shared memory.

Every element of a tile is fetched from global memory once and used TILE times, so global loads per element
of C fall from 2k to 2k / TILE. The price is two barriers per step.
"""

from numba import cuda, float32

TILE = 16


@cuda.jit
def matmul(a, b, c, m, n, k):
    """C = A·B, launched with blocks of TILE x TILE threads."""
    a_tile = cuda.shared.array((TILE, TILE), float32)
    b_tile = cuda.shared.array((TILE, TILE), float32)

    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    col = cuda.blockIdx.x * TILE + tx
    row = cuda.blockIdx.y * TILE + ty

    total = float32(0.0)
    for step in range(0, k, TILE):
        # Zeros stand in for what lies outside: they add nothing, and no thread has to leave before a barrier.
        a_tile[ty, tx] = a[row, step + tx] if row < m and step + tx < k else float32(0.0)
        b_tile[ty, tx] = b[step + ty, col] if step + ty < k and col < n else float32(0.0)

        # Both tiles must be complete before anyone reads what another thread has loaded ...
        cuda.syncthreads()
        for i in range(TILE):
            total += a_tile[ty, i] * b_tile[i, tx]
        # ... and everyone must be done with them before the next step overwrites them.
        cuda.syncthreads()

    if row < m and col < n:
        c[row, col] = total
