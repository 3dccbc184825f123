# mutant: row_max_global stores where the largest is, not what it is | verdict: wrong | beside: shared, shared_padded
from numba import cuda


@cuda.jit
def row_max_global(a, out, rows, cols):
    row = cuda.grid(1)
    if row < rows:
        best = 0
        for col in range(cols):
            if a[row, col] > a[row, best]:
                best = col
        out[row] = best
