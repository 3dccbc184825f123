"""Rung `expert`: many elements per thread, several sums under way, warp shuffles.

Only as many blocks as the device holds at once walk over the values together, so starting a block and its tree is
paid for once per thousands of values. A thread asks for eight values before it needs the first, which keeps memory
busy. The tree goes through registers by shuffles; eight numbers pass through shared memory, each in a bank of its
own. What limits it is the bandwidth of memory: every value is read exactly once. CUDA C also loads four neighbours
with one instruction; Numba has no such load.
"""

# launch: reduce_int32 block=256 grid=min(ceil(n/2048),1056)
# launch: reduce_float32 block=256 grid=min(ceil(n/2048),1056)

from numba import cuda

BLOCK = 256
WARP = 32
WARPS = 8
CHUNK = 8 * BLOCK  # values that a block takes at a time


@cuda.jit(device=True)
def sum_of_warp(value):
    """The sum of the 32 lanes' values, in every lane."""
    distance = 16
    while distance > 0:
        value += cuda.shfl_xor_sync(0xFFFFFFFF, value, distance)
        distance //= 2
    return value


@cuda.jit(device=True)
def reduce(values, sums, n):
    """Leave the sum of each block's values in ``sums``."""
    of_warp = cuda.shared.array(WARPS, values.dtype)

    thread = cuda.threadIdx.x
    block = cuda.blockIdx.x
    blocks = cuda.gridDim.x
    chunks = n // CHUNK

    # Four sums, so that no addition waits for the one of its neighbour.
    first = second = third = fourth = values.dtype.type(0)
    for chunk in range(block, chunks, blocks):
        i = chunk * CHUNK + thread
        v0 = values[i]
        v1 = values[i + BLOCK]
        v2 = values[i + 2 * BLOCK]
        v3 = values[i + 3 * BLOCK]
        v4 = values[i + 4 * BLOCK]
        v5 = values[i + 5 * BLOCK]
        v6 = values[i + 6 * BLOCK]
        v7 = values[i + 7 * BLOCK]
        # The sum of two int32 is an int64 in Numba: turned back at once, it costs an addition of 32 bits.
        first = values.dtype.type(first + (v0 + v4))
        second = values.dtype.type(second + (v1 + v5))
        third = values.dtype.type(third + (v2 + v6))
        fourth = values.dtype.type(fourth + (v3 + v7))
    total = values.dtype.type((first + second) + (third + fourth))

    # The last block takes what fills no chunk: it has the fewest of them.
    if block == blocks - 1:
        for i in range(chunks * CHUNK + thread, n, BLOCK):
            total += values[i]

    total = sum_of_warp(total)
    if thread % WARP == 0:
        of_warp[thread // WARP] = total
    cuda.syncthreads()
    if thread < WARP:
        total = sum_of_warp(of_warp[thread] if thread < WARPS else values.dtype.type(0))
        if thread == 0:
            sums[block] = total


@cuda.jit
def reduce_int32(a, a_sums, work, n):
    """One sum per block, in int32."""
    reduce(a, a_sums, n)


@cuda.jit
def reduce_float32(x, x_sums, work, n):
    """One sum per block, in float32."""
    reduce(x, x_sums, n)
