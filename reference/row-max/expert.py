"""Rung `expert`: a block of 256 threads for every row, several loads on their way, warp shuffles.

A maximum does not care in which order it is found, so no thread needs a row of its own: each compares every 256th
element, and 256 candidates become one by shuffles, with eight numbers through shared memory. The row is read once, in
whole sectors: the speed of memory is what is left to wait for.
"""

import math

from numba import cuda
from rows import fold_share, merge_block


@cuda.jit(device=True)
def larger(one, other):
    """The larger of two elements, or of two candidates."""
    return max(one, other)


# launch: row_max_shared_padded block=256 grid=rows
@cuda.jit
def row_max_shared_padded(a, out, rows, cols):
    """Largest element of each row, launched with one block of 256 threads per row."""
    row = cuda.blockIdx.x
    largest = merge_block(fold_share(a, row, cols, -math.inf, larger), -math.inf, larger)
    if cuda.threadIdx.x == 0:
        out[row] = largest
