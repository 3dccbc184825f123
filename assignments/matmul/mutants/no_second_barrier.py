# mutant: no barrier between using the tiles and loading the next ones | verdict: wrong | diagnostic: shared-memory race
from numba import cuda, float32

TILE = 16


@cuda.jit
def matmul(a, b, c, m, n, k):
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
        for i in range(TILE):
            total += a_tile[ty, i] * b_tile[i, tx]  # <- here
    if row < m and col < n:
        c[row, col] = total
