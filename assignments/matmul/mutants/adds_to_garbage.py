# mutant: adds to C, which was never set to zero | verdict: wrong | diagnostic: uninitialised read
from numba import cuda


@cuda.jit
def matmul(a, b, c, m, n, k):
    col, row = cuda.grid(2)
    if row < m and col < n:
        for i in range(k):
            c[row, col] += a[row, i] * b[i, col]  # <- here
