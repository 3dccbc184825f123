"""Rung `global`: a tree in global memory, neighbours first.

A block copies its 256 values into working memory and adds neighbours, then sums of neighbours, at distances 1,
2, 4, ... Each level halves the threads that still work, but they stay as far apart as the values: a warp touches
all its sectors again at every level, for ever fewer additions, and all of its threads wait for the few. Every
level travels through global memory and waits for it.
"""

from numba import cuda


@cuda.jit(device=True)
def reduce(values, sums, work, n):
    """Leave the sum of each block's values in ``sums``."""
    thread = cuda.threadIdx.x
    i = cuda.grid(1)

    if i < n:
        work[i] = values[i]
    cuda.syncthreads()
    s = 1
    while s < cuda.blockDim.x:
        if thread % (2 * s) == 0 and i + s < n:
            work[i] += work[i + s]
        cuda.syncthreads()
        s *= 2
    if thread == 0:
        sums[cuda.blockIdx.x] = work[i]


@cuda.jit
def reduce_int32(a, a_sums, work, n):
    """One sum per block, in int32."""
    reduce(a, a_sums, work, n)


@cuda.jit
def reduce_float32(x, x_sums, work, n):
    """One sum per block, in float32."""
    reduce(x, x_sums, work, n)
