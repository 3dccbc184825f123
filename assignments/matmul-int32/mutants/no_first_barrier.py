# mutant: no barrier between loading the tiles and using them | verdict: wrong | diagnostic: shared-memory race
from numba import cuda, int32

BS = 16


@cuda.jit
def matmul_int32(a, b, c, m, n, k):
    sa = cuda.shared.array((BS, BS), int32)
    sb = cuda.shared.array((BS, BS), int32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    col, row = cuda.grid(2)
    acc = int32(0)
    for s in range(0, k, BS):
        sa[ty, tx] = a[row, s + tx] if row < m and s + tx < k else int32(0)
        sb[ty, tx] = b[s + ty, col] if s + ty < k and col < n else int32(0)
        for i in range(BS):
            acc += sa[ty, i] * sb[i, tx]  # <- here
        cuda.syncthreads()
    if row < m and col < n:
        c[row, col] = acc
