"""Rung `shared`: a block of BLOCK x BLOCK threads computes as many elements of C from tiles in shared memory.

Every element of a tile is fetched from global memory by one thread and used by BLOCK of them. With BLOCK 1 nothing is
shared at all, and a warp has one thread at work and 31 idle; with 4 a warp is half empty. From 8 on warps are full, and
each doubling halves the loads from global memory. At 32 a block has 1024 threads, as many as it may, and all of them
wait at each barrier for the slowest.

What limits it now is shared memory: two of its loads for each multiply-add, although every thread of a row of the
block reads the same element of A's tile.
"""

from numba import cuda, int32

BLOCK = 16


@cuda.jit(device=True)
def element(matrix, rows, cols, row, col):
    """Zero stands in for what lies outside a matrix: it adds nothing, and every thread reaches the barriers."""
    return matrix[row, col] if row < rows and col < cols else int32(0)


@cuda.jit
def matmul_int32(a, b, c, m, n, k):
    """C = A·B, launched with blocks of BLOCK x BLOCK threads."""
    a_tile = cuda.shared.array((BLOCK, BLOCK), int32)
    b_tile = cuda.shared.array((BLOCK, BLOCK), int32)

    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    row = cuda.blockIdx.y * BLOCK + y
    col = cuda.blockIdx.x * BLOCK + x

    total = int32(0)
    for first in range(0, k, BLOCK):
        a_tile[y, x] = element(a, m, k, row, first + x)
        b_tile[y, x] = element(b, k, n, first + y, col)
        cuda.syncthreads()  # both tiles are complete

        for i in range(BLOCK):
            # Without the cast the sum, and each multiply-add, would have 64 bits.
            total = int32(total + a_tile[y, i] * b_tile[i, x])
        cuda.syncthreads()  # no thread needs them any more
    if row < m and col < n:
        c[row, col] = total
