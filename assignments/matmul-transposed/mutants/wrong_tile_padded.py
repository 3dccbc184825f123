# mutant: the other tile is padded, the one that is read by rows | verdict: accepted | diagnostic: bank conflict | part: technique
from numba import cuda, float32

N = 32
N1 = 33


@cuda.jit
def matmul_transposed(a, c, m, k):
    s1 = cuda.shared.array((N, N1), float32)
    s2 = cuda.shared.array((N, N), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x, y = cuda.grid(2)
    x0 = cuda.blockIdx.x * N
    acc = float32(0)
    for p in range(0, k, N):
        s1[ty, tx] = 0
        s2[ty, tx] = 0
        if p + tx < k:
            if y < m:
                s1[ty, tx] = a[y, p + tx]
            if x0 + ty < m:
                s2[ty, tx] = a[x0 + ty, p + tx]
        cuda.syncthreads()
        for q in range(N):
            acc += s1[ty, q] * s2[tx, q]  # <- here
        cuda.syncthreads()
    if x < m and y < m:
        c[y, x] = acc
