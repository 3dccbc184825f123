"""Rung `reduce1`: a tree in shared memory, neighbours first.

Global memory is read once, coalesced; the tree is built in shared memory, which answers ten times as fast. But the
threads that work are every second, every fourth, ... of a warp: the others wait at the branch, and all eight warps of
the block take part down to the fifth level, with ever fewer lanes. The remainder in the condition costs too.
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
    s = 1
    while s < BLOCK:
        if thread % (2 * s) == 0:
            data[thread] += data[thread + s]
        cuda.syncthreads()
        s *= 2
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
