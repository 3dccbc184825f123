# mutant: a tile is filled and read, and multiplied by zero | verdict: accepted | part: technique | loses: 10
from numba import cuda, float32

N = 16


@cuda.jit
def matmul(a, b, c, m, n, k):
    tile = cuda.shared.array((N, N), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x, y = cuda.grid(2)
    tile[ty, tx] = a[0, 0]
    cuda.syncthreads()
    total = float32(0)
    if x < n and y < m:
        for p in range(k):
            total += a[y, p] * b[p, x]
        for q in range(N):
            total += float32(0) * tile[q, tx]
        c[y, x] = total


# launch: matmul block=16,16 grid=ceil(n/16),ceil(m/16)
