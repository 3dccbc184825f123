# Dot product for Size = 1000. 64 threads, 2048 elements per block.
import numpy as np
from numba import cuda, float32

SIZE = 1000


@cuda.jit
def dot_product_global(x, y, out, work, n):
    i = cuda.grid(1)
    if 32 * i < n:
        s = float32(0)
        for k in range(32 * i, min(n, 32 * i + 32)):
            s += x[k] * y[k]
        work[i] = s
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        s = float32(0)
        for k in range(i, min(i + 64, (n + 31) // 32)):
            s += work[k]
        out[cuda.blockIdx.x] = s


@cuda.jit
def dot_product_shared(x, y, out, work, n):
    p = cuda.shared.array(SIZE, float32)
    t = cuda.threadIdx.x
    for k in range(t, SIZE, 64):
        p[k] = x[k] * y[k] if k < n else 0
    cuda.syncthreads()
    if t == 0:
        s = float32(0)
        for k in range(SIZE):
            s += p[k]
        out[cuda.blockIdx.x] = s


@cuda.jit
def dot_product_shared_padded(x, y, out, work, n):
    p = cuda.shared.array((32, 33), float32)
    t = cuda.threadIdx.x
    for k in range(t, SIZE, 64):
        p[k // 32, k % 32] = x[k] * y[k] if k < n else 0
    cuda.syncthreads()
    if t == 0:
        s = float32(0)
        for k in range(SIZE):
            s += p[k // 32, k % 32]
        out[cuda.blockIdx.x] = s


if __name__ == "__main__":
    a = np.ones(SIZE, np.float32)
    b = np.arange(SIZE, dtype=np.float32)
    print(a @ b)
