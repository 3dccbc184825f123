"""Rung `reduce3`: far elements first.

Half of the block adds the other half. The lanes of a warp read neighbouring elements, each in a bank of its own:
no conflicts, no divided warps but the last. What is left: half of the threads do nothing but load one value, and
a block does little more than start, load and wait at barriers.
"""

from numba import cuda

BLOCK = 256


@cuda.jit(device=True)
def reduce(values, sums, n):
    """Leave the sum of each block's values in ``sums``."""
    data = cuda.shared.array(BLOCK, values.dtype)

    thread = cuda.threadIdx.x
    i = cuda.blockIdx.x * BLOCK + thread

    # Zeros stand in for what lies beyond the end: they add nothing, and every thread reaches the barriers.
    data[thread] = values[i] if i < n else values.dtype.type(0)
    cuda.syncthreads()
    s = BLOCK // 2
    while s > 0:
        if thread < s:
            data[thread] += data[thread + s]
        cuda.syncthreads()
        s //= 2
    if thread == 0:
        sums[cuda.blockIdx.x] = data[0]


@cuda.jit
def reduce_int32(a, a_sums, work, n):
    """One sum per block, in int32."""
    reduce(a, a_sums, n)


@cuda.jit
def reduce_float32(x, x_sums, work, n):
    """One sum per block, in float32."""
    reduce(x, x_sums, n)
