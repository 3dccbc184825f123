# mutant: no tile at all: straight from global memory | verdict: accepted | part: technique
from numba import cuda


@cuda.jit
def matmul_int32(a, b, c, m, n, k):
    x, y = cuda.grid(2)
    if x < n and y < m:
        s = 0
        for p in range(k):
            s += a[y, p] * b[p, x]
        c[y, x] = s
