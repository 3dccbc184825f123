"""Rung `unrolled`: as `shared`, with four rounds of the inner loop written out.

A loop of TILE rounds counts, compares and branches TILE times. Numba has no directive to unroll a loop, so what is to
be unrolled is written out; four rounds at once, and a quarter of that work is left.

Here it is for show. The compiler unrolls a loop with a small constant count by itself, and it does the same to
the four rounds of this one: the machine code is that of `shared`.
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
        a_tile[ty, tx] = a[row, step + tx] if row < m and step + tx < k else float32(0.0)
        b_tile[ty, tx] = b[step + ty, col] if step + ty < k and col < n else float32(0.0)

        cuda.syncthreads()
        for i in range(0, TILE, 4):
            total += a_tile[ty, i] * b_tile[i, tx]
            total += a_tile[ty, i + 1] * b_tile[i + 1, tx]
            total += a_tile[ty, i + 2] * b_tile[i + 2, tx]
            total += a_tile[ty, i + 3] * b_tile[i + 3, tx]
        cuda.syncthreads()

    if row < m and col < n:
        c[row, col] = total
