"""y[r] = a[r, 0] * x[0] + a[r, 1] * x[1] + ... in float32, for every row r of the rows x cols matrix A.

Begin with one thread per row, and get every size right first. Then look at how the threads of a warp read A.
"""

from numba import cuda


@cuda.jit
def matvec(a, x, y, rows, cols):
    # Launched with blocks of 256 threads, as many as cover the rows: one thread per row.
    pass
