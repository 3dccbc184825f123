"""Rung `shared`: one block per matrix.

Both factors are loaded once, as they lie in memory, and each thread computes every eighth row of one column.
"""

# launch: batched_matmul block=32,8 grid=batch

from numba import cuda, float32, int32

MOST = 32
ROWS = 8


@cuda.jit
def batched_matmul(a, b, c, batch, n):
    left = cuda.shared.array((MOST, MOST), float32)
    right = cuda.shared.array((MOST, MOST), float32)
    x = int32(cuda.threadIdx.x)
    y = int32(cuda.threadIdx.y)
    matrix = cuda.blockIdx.x
    for i in range(y * MOST + x, n * n, MOST * ROWS):
        row = int32(i) // n
        col = int32(i) - row * n
        left[row, col] = a[matrix, row, col]
        right[row, col] = b[matrix, row, col]
    cuda.syncthreads()
    if x < n:
        for row in range(y, n, ROWS):
            total = float32(0.0)
            for k in range(n):
                total += left[row, k] * right[k, x]
            c[matrix, row, x] = total
