# mutant: tiles of int16, to save shared memory | verdict: wrong
from numba import cuda, int16, int32

BS = 16


@cuda.jit
def matmul_int32(a, b, c, m, n, k):
    sa = cuda.shared.array((BS, BS), int16)  # <- here
    sb = cuda.shared.array((BS, BS), int16)  # <- here
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    col, row = cuda.grid(2)
    acc = int32(0)
    for s in range(0, k, BS):
        sa[ty, tx] = 0
        sb[ty, tx] = 0
        if row < m and s + tx < k:
            sa[ty, tx] = a[row, s + tx]
        if col < n and s + ty < k:
            sb[ty, tx] = b[s + ty, col]
        cuda.syncthreads()
        for i in range(BS):
            acc += sa[ty, i] * sb[i, tx]
        cuda.syncthreads()
    if row < m and col < n:
        c[row, col] = acc
