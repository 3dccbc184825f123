# A * A^T with shared memory, 16x16 like on the slide, one column of padding
# launch: matmul_transposed block=16,16 grid=ceil(m/16),ceil(m/16)
import numpy as np
from numba import cuda, float32

BS = 16
BS1 = BS + 1


@cuda.jit
def matmul_transposed(a, c, m, k):
    sa = cuda.shared.array((BS, BS), dtype=float32)
    st = cuda.shared.array((BS, BS1), dtype=float32)
    col, row = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    trow = cuda.blockIdx.x * BS + ty
    acc = float32(0.0)
    for t in range((k + BS - 1) // BS):
        p = t * BS + tx
        sa[ty, tx] = 0.0
        st[ty, tx] = 0.0
        if p < k:
            if row < m:
                sa[ty, tx] = a[row, p]
            if trow < m:
                st[ty, tx] = a[trow, p]
        cuda.syncthreads()
        for i in range(BS):
            acc += sa[ty, i] * st[tx, i]
        cuda.syncthreads()
    if row < m and col < m:
        c[row, col] = acc


if __name__ == "__main__":
    n = 1000
    a = np.random.rand(n, n).astype(np.float32)
    c = np.zeros((n, n), np.float32)
    matmul_transposed[(63, 63), (16, 16)](a, c, n, n)
    print(np.allclose(c, a @ a.T))
