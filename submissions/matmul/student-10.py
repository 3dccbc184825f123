from numba import cuda


@cuda.jit
def matmul(a, b, c, m, n, k):
    x, y = cuda.grid(2)
    if y < m and x < n:
        row = [a[y, i] for i in range(k)]
        col = [b[i, x] for i in range(k)]
        c[y, x] = sum(p * q for p, q in zip(row, col))
