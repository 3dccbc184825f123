"""Rung `global_coalesced`: a tree in global memory, far elements first.

The first half of a block adds the second half, then the first quarter the second, ... The threads that still work
are neighbours and so are their values: a level has half the requests of the one before, each of them coalesced, and
whole warps fall idle instead of parts of all. What is left is the way to global memory and back at every
level, which nothing but another memory can spare.
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
    s = cuda.blockDim.x // 2
    while s > 0:
        if thread < s and i + s < n:
            work[i] += work[i + s]
        cuda.syncthreads()
        s //= 2
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
