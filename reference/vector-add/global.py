"""Rung `global`: a single block, as in the first kernel of the lectures.

There c[i] = a[i] + b[i] with i = threadIdx.x was all, so the vectors could not be longer than the block. Here its
threads walk on, a block's width at a time, until the vectors end. Every access is coalesced, and yet it is slow: a
block runs on one multiprocessor, and all the others have nothing to do.
"""

from numba import cuda


# launch: vector_add block=256 grid=1
@cuda.jit
def vector_add(a, b, c, n):
    """Sum of two vectors by one block."""
    for i in range(cuda.threadIdx.x, n, cuda.blockDim.x):
        c[i] = a[i] + b[i]
