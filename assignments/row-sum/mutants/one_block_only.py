# mutant: row_sum_global knows only the rows of the first block | verdict: wrong | beside: shared, shared_padded
from numba import cuda, float32


@cuda.jit
def row_sum_global(a, out, rows, cols):
    row = cuda.threadIdx.x
    if row < rows:
        total = float32(0.0)
        for col in range(cols):
            total += a[row, col]
        out[row] = total
