# mutant: row_sum_global adds the first 1000 elements of a row, as in the task, and no more | verdict: wrong | beside: shared, shared_padded
from numba import cuda, float32


@cuda.jit
def row_sum_global(a, out, rows, cols):
    row = cuda.grid(1)
    if row < rows:
        total = float32(0.0)
        for col in range(min(cols, 1000)):
            total += a[row, col]
        out[row] = total
