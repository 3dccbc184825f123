# mutant: row_mean_global divides the sum of a column by the number of columns | verdict: wrong | beside: shared, shared_padded
from numba import cuda, float32


@cuda.jit
def row_mean_global(a, row_means, column_means, rows, cols):
    i = cuda.grid(1)
    if i < rows:
        s = float32(0)
        for j in range(cols):
            s += a[i, j]
        row_means[i] = s / cols
    if i < cols:
        s = float32(0)
        for j in range(rows):
            s += a[j, i]
        column_means[i] = s / cols
