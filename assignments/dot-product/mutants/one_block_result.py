# mutant: every block writes to the first place, so that all sums but one are lost | verdict: wrong | diagnostic: global-memory race | beside: shared, shared_padded
from numba import cuda, float32


@cuda.jit
def dot_product_global(x, y, out, work, n):
    i = cuda.grid(1)
    if 32 * i < n:
        s = float32(0)
        for k in range(32 * i, min(32 * i + 32, n)):
            s += x[k] * y[k]  # <- here
        work[i] = s
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        s = float32(0)
        for k in range(i, i + 64):
            if 32 * k < n:
                s += work[k]
        out[0] = s  # <- here
