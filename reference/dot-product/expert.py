"""Rung `expert`: many products per thread, several sums under way, warp shuffles.

No tile: each product is added to a register at once. Only as many blocks as the device holds walk over the vectors
together, so a block's start and its tree are paid for once per thousands of products. A thread asks for four elements
of each vector before it needs the first. Only the sums of the warps pass through shared memory, each in a bank of
its own: nothing to pad. What limits it is the bandwidth of memory: every element is read exactly once. CUDA C also
loads four neighbours with one instruction; Numba has no such load.
"""

# launch: dot_product_shared_padded block=256 grid=min(ceil(n/2048),1056)

from numba import cuda, float32

BLOCK = 256
WARP = 32
WARPS = 8
CHUNK = 4 * BLOCK  # products that a block takes at a time


@cuda.jit(device=True)
def sum_of_warp(value):
    """The sum of the 32 lanes' values, in every lane."""
    distance = 16
    while distance > 0:
        value += cuda.shfl_xor_sync(0xFFFFFFFF, value, distance)
        distance //= 2
    return value


@cuda.jit
def dot_product_shared_padded(x, y, out, work, n):
    """One sum of products per block of 256 threads."""
    of_warp = cuda.shared.array(WARPS, float32)

    thread = cuda.threadIdx.x
    block = cuda.blockIdx.x
    blocks = cuda.gridDim.x
    chunks = n // CHUNK

    # Four sums, so that no multiply-add waits for the one of its neighbour.
    first = second = third = fourth = float32(0.0)
    for chunk in range(block, chunks, blocks):
        i = chunk * CHUNK + thread
        x0, y0 = x[i], y[i]
        x1, y1 = x[i + BLOCK], y[i + BLOCK]
        x2, y2 = x[i + 2 * BLOCK], y[i + 2 * BLOCK]
        x3, y3 = x[i + 3 * BLOCK], y[i + 3 * BLOCK]
        first += x0 * y0
        second += x1 * y1
        third += x2 * y2
        fourth += x3 * y3
    total = (first + second) + (third + fourth)

    # The last block takes what fills no chunk: it has the fewest of them.
    if block == blocks - 1:
        for i in range(chunks * CHUNK + thread, n, BLOCK):
            total += x[i] * y[i]

    total = sum_of_warp(total)
    if thread % WARP == 0:
        of_warp[thread // WARP] = total
    cuda.syncthreads()
    if thread < WARP:
        total = sum_of_warp(of_warp[thread] if thread < WARPS else float32(0.0))
        if thread == 0:
            out[block] = total
