# mutant: writes the sums into the tile while others still read it | verdict: wrong | diagnostic: shared-memory race | beside: global, shared_padded
from numba import cuda, float32


@cuda.jit
def dot_product_shared(x, y, out, work, n):
    p = cuda.shared.array(2048, float32)
    t = cuda.threadIdx.x
    base = cuda.blockIdx.x * 2048
    for k in range(t, 2048, 64):
        p[k] = 0
        if base + k < n:
            p[k] = x[base + k] * y[base + k]
    cuda.syncthreads()
    s = float32(0)
    for k in range(32 * t, 32 * t + 32):
        s += p[k]  # <- here
    p[t] = s  # <- here
    cuda.syncthreads()
    if t == 0:
        for k in range(1, 64):
            s += p[k]
        out[cuda.blockIdx.x] = s
