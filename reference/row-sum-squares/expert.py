"""Rung `expert`: one block of 256 threads per row, four loads at a time, warp shuffles.

The elements of a row need no transposing when all threads of a block work on the same row. Each squares what it
reads, by one fused multiply-add per element, and the 256 sums meet in a tree: first by shuffles in each warp, then
eight numbers by way of shared memory. Squares are taken once, in `plus_square`; `plus` must not square again. What
limits it is memory alone: the arithmetic hides behind the loads.
Rows of a thousand elements, though, are short work for 256 threads: a warp for each would do better there.
"""

from numba import cuda
from rows import fold_share, merge_block


@cuda.jit(device=True)
def plus_square(total, x):
    """The square of another element."""
    return total + x * x


@cuda.jit(device=True)
def plus(one, other):
    """Two sums of squares in one."""
    return one + other


# launch: row_sum_squares_shared_padded block=256 grid=rows
@cuda.jit
def row_sum_squares_shared_padded(a, out, rows, cols):
    """Sum of the squares of each row, launched with one block of 256 threads per row."""
    row = cuda.blockIdx.x
    total = merge_block(fold_share(a, row, cols, 0.0, plus_square), 0.0, plus)
    if cuda.threadIdx.x == 0:
        out[row] = total
