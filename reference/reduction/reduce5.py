"""Rung `reduce5`: the last warp unrolled.

From 32 sums on, only one warp is at work, and a warp needs no barrier of the whole block. It does need to wait for its
own lanes, though: since Volta they may run apart, so each level reads, waits, writes and waits again with
syncwarp. The source leaves that out, which was safe on the devices of its time and is a race today. A block still
has 512 values only; what it costs to start and to end is spread over few of them.
"""

# launch: reduce_int32 block=256 grid=ceil(n/512)
# launch: reduce_float32 block=256 grid=ceil(n/512)

from numba import cuda

BLOCK = 256
WARP = 32


@cuda.jit(device=True)
def reduce(values, sums, n):
    """Leave the sum of each block's values in ``sums``."""
    data = cuda.shared.array(BLOCK, values.dtype)

    thread = cuda.threadIdx.x
    i = 2 * cuda.blockIdx.x * BLOCK + thread

    # Two values each; zeros stand in for what lies beyond the end.
    value = values.dtype.type(0)
    if i < n:
        value += values[i]
    if i + BLOCK < n:
        value += values[i + BLOCK]
    data[thread] = value
    cuda.syncthreads()
    s = BLOCK // 2
    while s > WARP:
        if thread < s:
            data[thread] += data[thread + s]
        cuda.syncthreads()
        s //= 2
    if thread < WARP:
        total = data[thread] + data[thread + WARP]
        s = WARP // 2
        while s > 0:
            data[thread] = total
            cuda.syncwarp()
            total += data[thread + s]
            cuda.syncwarp()
            s //= 2
        if thread == 0:
            sums[cuda.blockIdx.x] = total


@cuda.jit
def reduce_int32(a, a_sums, work, n):
    """One sum per block, in int32."""
    reduce(a, a_sums, n)


@cuda.jit
def reduce_float32(x, x_sums, work, n):
    """One sum per block, in float32."""
    reduce(x, x_sums, n)
