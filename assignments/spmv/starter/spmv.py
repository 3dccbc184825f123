"""y = A x in float32, where A is sparse and stored in CSR.

Row r has the nonzeros from number row_starts[r] up to but without number row_starts[r + 1]; values[i] is nonzero
number i, and columns[i] its column. Rows may be empty.

Begin with one thread per row, and get every matrix right first. Then think about who sums the long rows.
"""

from numba import cuda


@cuda.jit
def spmv(row_starts, columns, values, x, y, rows):
    # Launched with blocks of 256 threads, as many as cover the rows: one thread per row.
    pass
