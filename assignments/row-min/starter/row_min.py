"""out[r] = the smallest of a[r, 0], a[r, 1], ... for every row r of the rows x cols matrix A, float32.

Three functions, the first of them without shared memory.
"""

from numba import cuda


@cuda.jit
def row_min_global(a, out, rows, cols):
    # Launched with blocks of 256 threads, as many as cover the rows: one thread per row.
    # What is larger than every number? The smallest positive number is something else.
    pass


@cuda.jit
def row_min_shared(a, out, rows, cols):
    # Launched with blocks of 32 x 8 threads, one for every 32 rows.
    # A tile of 32 x 32 elements at a time. What belongs into it where the matrix has ended?
    pass


@cuda.jit
def row_min_shared_padded(a, out, rows, cols):
    # Launched like row_min_shared: the same, with a tile with its columns spread over several banks.
    pass
