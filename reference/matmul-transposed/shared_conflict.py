"""Rung `shared_conflict`: TILE x TILE tiles of A in shared memory, the second one read by columns.

Both tiles are pieces of A and are loaded the same way, row by row, which makes every access to global memory
coalesced. The tile that stands for Aᵀ is used with its indices exchanged: thread tx reads ats[tx, i].

That is where it is slow. Neighbouring threads read elements TILE floats apart. With TILE = 32 those lie in one bank of
the 32, and the warp's request is served in 32 passes, one thread at a time. (With 16 x 16 blocks a warp is two rows of
threads, which read the same 16 elements; every second of those lies in the same bank: 8 passes. On the source's GPU,
with 16 banks and half-warps, it took 16.)
"""

from numba import cuda, float32

TILE = 32


@cuda.jit
def matmul_transposed(a, c, m, k):
    """C = A·Aᵀ, launched with blocks of TILE x TILE threads."""
    own = cuda.shared.array((TILE, TILE), float32)
    ats = cuda.shared.array((TILE, TILE), float32)

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
