"""Rung `global`: one thread per element of any of the matrices."""

from numba import cuda, float32, int32


@cuda.jit
def batched_matmul(a, b, c, batch, n):
    i = int32(cuda.grid(1))
    if i >= batch * n * n:
        return
    matrix = i // (n * n)
    row = i % (n * n) // n
    col = i % n
    total = float32(0.0)
    for k in range(n):
        total += a[matrix, row, k] * b[matrix, k, col]
    c[matrix, row, col] = total
