"""Rung `shared`: the products of a block pass through shared memory on their way to the thread that adds them.

Neighbouring threads read neighbouring elements, multiply them and put the products into a tile: coalesced. Then
thread t adds up row t of the tile, its own 32 neighbouring products as in `global`. In a [64][32] array of floats the
elements that 32 threads read at a time lie in a single bank: each of those reads is a 32-way conflict, and the
time saved on global memory is partly lost again.
"""

from numba import cuda, float32

BLOCK = 64
EACH = 32  # products of a thread


@cuda.jit
def dot_product_shared(x, y, out, work, n):
    """One sum of products per block, by way of shared memory."""
    tile = cuda.shared.array((BLOCK, EACH), float32)

    thread = cuda.threadIdx.x
    first = cuda.blockIdx.x * BLOCK * EACH

    for k in range(thread, BLOCK * EACH, BLOCK):
        # Zeros stand in for what lies beyond the end: they add nothing, and every thread reaches the barriers.
        tile[k // EACH, k % EACH] = x[first + k] * y[first + k] if first + k < n else float32(0.0)
    cuda.syncthreads()
    total = float32(0.0)
    for k in range(EACH):
        total += tile[thread, k]

    # The sums of all threads lie in the first two rows now, side by side. Nobody may write them while someone still
    # reads those rows.
    cuda.syncthreads()
    tile[thread // EACH, thread % EACH] = total
    cuda.syncthreads()
    s = BLOCK // 2
    while s > 0:
        if thread < s:
            total += tile[(thread + s) // EACH, (thread + s) % EACH]
            tile[0, thread] = total
        cuda.syncthreads()
        s //= 2
    if thread == 0:
        out[cuda.blockIdx.x] = total
