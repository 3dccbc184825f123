# mutant: multiplies columns of A, which is AᵀA | verdict: crashed | diagnostic: out of bounds
from numba import cuda, float32


@cuda.jit
def matmul_transposed(a, c, m, k):
    j, i = cuda.grid(2)
    if i < m and j < m:
        s = float32(0)
        for p in range(k):
            s += a[p, i] * a[p, j]  # <- here
        c[i, j] = s
