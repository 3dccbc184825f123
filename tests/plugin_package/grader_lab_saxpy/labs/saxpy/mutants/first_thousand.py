# mutant: works on the first thousand elements only | verdict: wrong
from numba import cuda


@cuda.jit
def saxpy(x, y, out, alpha, n):
    i = cuda.grid(1)
    if i < min(n, 1000):
        out[i] = alpha * x[i] + y[i]
