# mutant: stops one element early | verdict: wrong
from numba import cuda


@cuda.jit
def saxpy(x, y, out, alpha, n):
    i = cuda.grid(1)
    if i < n - 1:
        out[i] = alpha * x[i] + y[i]
