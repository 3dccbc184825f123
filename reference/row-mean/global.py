"""Rung `global`: thread i adds up row i and column i, straight from global memory.

The two halves look alike and are not. Along rows, neighbouring threads read elements a whole row apart: 32 sectors
for each request of a warp. Along columns they read neighbours: 4 sectors, as good as it gets, without any shared
memory. What both lack is threads: as many as the longer side of the matrix has elements.
"""

from numba import cuda, float32


@cuda.jit
def row_mean_global(a, row_means, column_means, rows, cols):
    """Means of rows and columns, one thread per row and column."""
    i = cuda.grid(1)
    if i < rows:
        total = float32(0.0)
        for col in range(cols):
            total += a[i, col]
        # float32 / int32 would be divided as float64.
        row_means[i] = total / float32(cols)
    if i < cols:
        total = float32(0.0)
        for row in range(rows):
            total += a[row, i]
        column_means[i] = total / float32(rows)
