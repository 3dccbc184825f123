"""Rung `reduce2`: the same additions as in `reduce1`, done by the first threads of the block.

Thread t takes pair number t, so that the threads that work are neighbours: whole warps fall idle, hardly a warp
is divided. But now the lanes of one warp read at a distance of 2, 4, 8, ... elements, which lie in
every second, fourth, ... bank only: conflicts of 2, 4, 8 ways. On the device of the source that was the smaller evil;
today the conflicts may cost more than the divided warps did.
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
        left = 2 * s * thread
        if left < BLOCK:
            data[left] += data[left + s]
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
