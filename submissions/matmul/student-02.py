from numba import cuda
import numpy as np


@cuda.jit
def matmul(a, b, c, m, n, k):
    # one thread for each element of c
    x, y = cuda.grid(2)
    if y < m and x < n:
        s = np.float32(0)
        for p in range(k):
            s += a[y, p] * b[p, x]
        c[y, x] = s
