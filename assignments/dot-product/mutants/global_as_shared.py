# mutant: the global kernel submitted as the shared one | verdict: accepted | part: technique | beside: global, shared_padded
from numba import cuda, float32


@cuda.jit
def dot_product_shared(x, y, out, work, n):
    i = cuda.grid(1)
    if 32 * i < n:
        s = float32(0)
        for k in range(32 * i, min(32 * i + 32, n)):
            s += x[k] * y[k]
        work[i] = s
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        s = float32(0)
        for k in range(i, i + 64):
            if 32 * k < n:
                s += work[k]
        out[cuda.blockIdx.x] = s
