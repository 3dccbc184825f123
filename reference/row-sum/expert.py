"""Rung `expert`: one block of 256 threads per row, several loads on their way, warp shuffles.

No tile is needed: neighbouring threads read neighbouring elements of the row anyway, each keeps its own sum in a
register, and only eight numbers of a row ever pass through shared memory. A row has two barriers less for every 32
columns, and each thread has several loads on their way. It takes about as long as reading the matrix takes.
Only rows so short that a thread has one load to do, a thousand elements, would gain if each had only a warp.
"""

from numba import cuda
from rows import fold_share, merge_block


@cuda.jit(device=True)
def plus(total, x):
    """Another element, or another total."""
    return total + x


# launch: row_sum_shared_padded block=256 grid=rows
@cuda.jit
def row_sum_shared_padded(a, out, rows, cols):
    """Sum of each row, launched with one block of 256 threads per row."""
    row = cuda.blockIdx.x
    total = merge_block(fold_share(a, row, cols, 0.0, plus), 0.0, plus)
    if cuda.threadIdx.x == 0:
        out[row] = total
