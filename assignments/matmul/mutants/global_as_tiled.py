# mutant: no tile at all: straight from global memory | verdict: accepted | part: technique
from numba import cuda, float32


@cuda.jit
def matmul(a, b, c, m, n, k):
    col, row = cuda.grid(2)
    if row < m and col < n:
        total = float32(0.0)
        for i in range(k):
            total += a[row, i] * b[i, col]
        c[row, col] = total
