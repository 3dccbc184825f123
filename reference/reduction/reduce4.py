"""Rung `reduce4`: the first addition while loading.

Each thread loads two values, 256 apart, and puts their sum into shared memory. Half as many blocks do the same work,
and no thread idles at the first level. Two loads are under way where there was one. What limits it now is what a
block costs besides: its start, its barriers, its last levels with a warp or less at work.
"""

# launch: reduce_int32 block=256 grid=ceil(n/512)
# launch: reduce_float32 block=256 grid=ceil(n/512)

from numba import cuda

BLOCK = 256


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
