# mutant: the sum is a float64, exact but not modulo 2**32 | verdict: wrong
from numba import cuda


@cuda.jit
def matmul_int32(a, b, c, m, n, k):
    col, row = cuda.grid(2)
    if row < m and col < n:
        total = 0.0  # <- here
        for i in range(k):
            total += a[row, i] * b[i, col]
        c[row, col] = total
