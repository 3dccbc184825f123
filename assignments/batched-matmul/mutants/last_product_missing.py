# mutant: stops one product early | verdict: wrong
from numba import cuda, float32


@cuda.jit
def batched_matmul(a, b, c, batch, n):
    i = cuda.grid(1)
    if i < batch * n * n:
        m = i // (n * n)
        row = i % (n * n) // n
        col = i % n
        total = float32(0.0)
        for k in range(n - 1):
            total += a[m, row, k] * b[m, k, col]
        c[m, row, col] = total
