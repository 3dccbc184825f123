"""Means of the rows and columns of the rows x cols matrix A, in float32. Three functions.

row_means[r]    = (a[r, 0] + a[r, 1] + ...) / cols    for every row r
column_means[c] = (a[0, c] + a[1, c] + ...) / rows    for every column c

Begin with row_mean_global, and get every size right first. Do not use atomic additions.
"""

from numba import cuda


@cuda.jit
def row_mean_global(a, row_means, column_means, rows, cols):
    # Launched with blocks of 256 threads, as many as cover the longer side: thread i may take row i and column i.
    pass


@cuda.jit
def row_mean_shared(a, row_means, column_means, rows, cols):
    # Launched with blocks of 32 x 8 threads, one for every 32 elements of the longer side.
    #
    # The rows: load a 32 x 32 tile along them, wait for the whole block, add up, wait again; then the next tile.
    # The columns: which threads read neighbours if you walk down a column? What is left to share?
    pass


@cuda.jit
def row_mean_shared_padded(a, row_means, column_means, rows, cols):
    # Launched like row_mean_shared: the same, with a tile with its columns spread over several banks.
    pass
