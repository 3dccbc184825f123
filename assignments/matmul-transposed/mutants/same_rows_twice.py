# mutant: both tiles come from the rows of blockIdx.y, so only blocks on the diagonal are right | verdict: wrong
from numba import cuda, float32

TILE = 32
PITCH = 33


@cuda.jit
def matmul_transposed(a, c, m, k):
    left = cuda.shared.array((TILE, TILE), float32)
    right = cuda.shared.array((TILE, PITCH), float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    j, i = cuda.grid(2)
    s = float32(0)
    for p in range(0, k, TILE):
        v = a[i, p + tx] if i < m and p + tx < k else float32(0)
        left[ty, tx] = v
        right[ty, tx] = v
        cuda.syncthreads()
        for q in range(TILE):
            s += left[ty, q] * right[tx, q]
        cuda.syncthreads()
    if i < m and j < m:
        c[i, j] = s
