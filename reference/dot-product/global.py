"""Rung `global`: a thread adds up 32 neighbouring products, straight from global memory.

Neighbouring threads read 32 elements apart, so each of a warp's loads falls into 32 sectors of its own where 4 would
do; only the cache softens that, by keeping a sector for the next seven steps. The sums of the 64 threads of a
block meet in a tree in global memory; every level waits for it.
"""

from numba import cuda, float32

EACH = 32  # products of a thread


@cuda.jit
def dot_product_global(x, y, out, work, n):
    """One sum of products per block, by way of global memory."""
    thread = cuda.threadIdx.x
    me = cuda.grid(1)
    first = me * EACH

    if first < n:
        # A plain 0.0 would be a float64, and the whole sum with it.
        total = float32(0.0)
        for i in range(first, min(first + EACH, n)):
            total += x[i] * y[i]
        work[me] = total
    cuda.syncthreads()
    s = cuda.blockDim.x // 2
    while s > 0:
        # A thread beyond the end has no sum to add.
        if thread < s and first + s * EACH < n:
            work[me] += work[me + s]
        cuda.syncthreads()
        s //= 2
    if thread == 0:
        out[cuda.blockIdx.x] = work[me]
