"""Rung `register_tile`: one thread computes TILE x TILE elements of C, straight from global memory.

A thread takes one element from each of TILE columns of B, and multiplies all of them with one element of A after the
other: TILE + TILE loads for TILE * TILE multiply-adds. No other thread is needed for that.

Its rows lie one below another, its columns 16 apart. If they lay side by side, as in the source, the threads of a warp
would read every TILE-th element of B, and each sector of 32 bytes would be asked for again and again.

The sums are an array of int32, so each new one is cut to 32 bits when it is stored, and need not be cast. The array
lies in registers if the compiler unrolls all loops over it, which it does while they are short. At TILE 8 there are
64 sums. At TILE 16 there are 256, more than the 255 registers of a thread, and some are spilled to local memory, which
is memory like any other, behind a cache. From 32 on the array lies there as a whole: every multiply-add loads its sum
and stores it again. At the same time the number of threads falls with the square of TILE, and most of the GPU has
nothing to do.
"""
# launch: matmul_int32 block=16,16 grid=ceil(n/(16*TILE)),ceil(m/(16*TILE))

from numba import cuda, int32

TILE = 4
SIDE = 16


@cuda.jit
def matmul_int32(a, b, c, m, n, k):
    """C = A·B, launched with blocks of SIDE x SIDE threads."""
    first_row = (cuda.blockIdx.y * SIDE + cuda.threadIdx.y) * TILE
    first_col = cuda.blockIdx.x * SIDE * TILE + cuda.threadIdx.x
    total = cuda.local.array((TILE, TILE), int32)
    right = cuda.local.array(TILE, int32)

    for y in range(TILE):
        for x in range(TILE):
            total[y, x] = 0
    for i in range(k):
        for x in range(TILE):
            col = first_col + x * SIDE
            right[x] = b[i, col] if col < n else int32(0)
        for y in range(TILE):
            row = first_row + y
            left = a[row, i] if row < m else int32(0)
            for x in range(TILE):
                total[y, x] += left * right[x]
    for y in range(TILE):
        for x in range(TILE):
            row = first_row + y
            col = first_col + x * SIDE
            if row < m and col < n:
                c[row, col] = total[y, x]
