"""Rung `expert`: a thread computes four elements of one column side by side.

So an element of B that it loads from shared memory serves four products. Zeros stand behind the last row and column.
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
    for row in range(y, MOST, ROWS):
        there = row < n and x < n
        left[row, x] = a[matrix, row, x] if there else float32(0.0)
        right[row, x] = b[matrix, row, x] if there else float32(0.0)
    cuda.syncthreads()
    sum0 = float32(0.0)
    sum1 = float32(0.0)
    sum2 = float32(0.0)
    sum3 = float32(0.0)
    for k in range(n):
        factor = right[k, x]
        sum0 += left[y, k] * factor
        sum1 += left[y + ROWS, k] * factor
        sum2 += left[y + 2 * ROWS, k] * factor
        sum3 += left[y + 3 * ROWS, k] * factor
    if x < n:
        if y < n:
            c[matrix, y, x] = sum0
        if y + ROWS < n:
            c[matrix, y + ROWS, x] = sum1
        if y + 2 * ROWS < n:
            c[matrix, y + 2 * ROWS, x] = sum2
        if y + 3 * ROWS < n:
            c[matrix, y + 3 * ROWS, x] = sum3
