# mutant: the last term of every sum is left out | verdict: wrong
from numba import cuda, float32


@cuda.jit
def matmul(a, b, c, m, n, k):
    col, row = cuda.grid(2)
    if row < m and col < n:
        total = float32(0.0)
        for i in range(k - 1):
            total += a[row, i] * b[i, col]
        c[row, col] = total
