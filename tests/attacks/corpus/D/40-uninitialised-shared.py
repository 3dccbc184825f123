"""Adds up in shared memory that it never sets to zero: right wherever that memory happens to be clean."""

from numba import cuda, float32


@cuda.jit
def matvec(a, x, y, rows, cols):
    sums = cuda.shared.array(1024, float32)
    row = cuda.grid(1)
    if row < rows:
        for col in range(cols):
            sums[cuda.threadIdx.x] += a[row, col] * x[col]
        y[row] = sums[cuda.threadIdx.x]
