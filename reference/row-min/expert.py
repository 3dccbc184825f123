"""Rung `expert`: 256 threads share a row; shuffles find the smallest of what they found.

The tile was a detour: it let a lane own a row. If all lanes work on the same row instead, coalesced loads need no
tile. Only one number of every warp goes through shared memory. A large matrix is read at nearly the full speed of
memory.
"""

import math

from numba import cuda
from rows import fold_share, merge_block


@cuda.jit(device=True)
def smaller(one, other):
    """The smaller of two elements, or of two finds."""
    return min(one, other)


# launch: row_min_shared_padded block=256 grid=rows
@cuda.jit
def row_min_shared_padded(a, out, rows, cols):
    """Smallest element of each row, launched with one block of 256 threads per row."""
    smallest = merge_block(fold_share(a, cuda.blockIdx.x, cols, math.inf, smaller), math.inf, smaller)
    if cuda.threadIdx.x == 0:
        out[cuda.blockIdx.x] = smallest
