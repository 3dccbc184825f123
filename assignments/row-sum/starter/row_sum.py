"""out[r] = a[r, 0] + a[r, 1] + ... in float32, for every row r of the rows x cols matrix A. Three functions.

Begin with row_sum_global, and get every size right first. Do not use atomic additions.
"""

from numba import cuda


@cuda.jit
def row_sum_global(a, out, rows, cols):
    # Launched with blocks of 256 threads, as many as cover the rows: one thread per row.
    pass


@cuda.jit
def row_sum_shared(a, out, rows, cols):
    # Launched with blocks of 32 x 8 threads, one for every 32 rows.
    #
    # Load a 32 x 32 tile along the rows, wait for the whole block, add up, wait again; then the next tile.
    pass


@cuda.jit
def row_sum_shared_padded(a, out, rows, cols):
    # Launched like row_sum_shared: the same, with a tile with its columns spread over several banks.
    pass
