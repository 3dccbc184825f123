"""Rung `shared_padded`: `shared` with one unused column in the tile.

Rows are now 33 floats apart, so element [row][col] lies in bank (row + col) % 32, and what 32 threads read at a
time in 32 different banks: no conflicts. What is left is that every product is written to shared memory and read
again, though each is needed by one thread only: a thread that keeps its sum in a register and reads every 64th element
needs no tile at all.
"""

from numba import cuda, float32

BLOCK = 64
EACH = 32  # products of a thread
PITCH = EACH + 1  # a shared array's shape must be made of constants: no sums inside the kernel


@cuda.jit
def dot_product_shared_padded(x, y, out, work, n):
    """One sum of products per block, by way of shared memory."""
    tile = cuda.shared.array((BLOCK, PITCH), float32)

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
