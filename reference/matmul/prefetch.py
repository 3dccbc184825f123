"""Rung `prefetch`: as `shared`, but the next tiles are fetched while the present ones are multiplied.

In `shared` a step begins with a load from global memory, and the whole block waits at the barrier until the slowest
has arrived. Here the load is issued before the multiplications and its result is needed only after them; until then
it is on its way into two registers. The block still has to wait for its own stores to shared memory.

On a GPU of the lectures' time, with room for three such blocks on an SM, that was worth much. Today eight blocks of
256 threads share an SM: while one waits, the others compute, and the scheduler has hidden the latency already.
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

    next_a = a[row, tx] if row < m and tx < k else float32(0.0)
    next_b = b[ty, col] if ty < k and col < n else float32(0.0)

    total = float32(0.0)
    for step in range(0, k, TILE):
        a_tile[ty, tx] = next_a
        b_tile[ty, tx] = next_b
        cuda.syncthreads()

        ahead = step + TILE
        next_a = a[row, ahead + tx] if row < m and ahead + tx < k else float32(0.0)
        next_b = b[ahead + ty, col] if ahead + ty < k and col < n else float32(0.0)

        for i in range(TILE):
            total += a_tile[ty, i] * b_tile[i, tx]
        cuda.syncthreads()

    if row < m and col < n:
        c[row, col] = total
