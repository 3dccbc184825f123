"""Rung `register_tile`: one thread computes PATCH x PATCH elements of C, straight from global memory.

With PATCH elements of a column of A and PATCH of a row of B in registers, a thread can do PATCH * PATCH
multiply-adds: 2 * PATCH loads instead of 2 * PATCH * PATCH. No other thread is needed for that, hence neither shared
memory nor barriers. The elements of a patch lie 16 rows and 16 columns apart, so that the threads of a warp still
read neighbouring elements of B at once.

What limits it now are the loads again: all threads of a row of the block load the same elements of A, and only the
cache keeps that from going to memory. A larger patch needs fewer of them and more registers.

A local array lies in registers only if all its indices are known at compile time: the compiler must unroll the loops
over it, which it does while they are short. At PATCH 8 there are 64 sums to keep, which leaves room for few warps on
an SM; at 16 the 256 sums no longer fit into the 255 registers that a thread may have, and lie in memory.
"""
# launch: matmul block=16,16 grid=ceil(n/(16*PATCH)),ceil(m/(16*PATCH))

from numba import cuda, float32

PATCH = 4
SIDE = 16


@cuda.jit
def matmul(a, b, c, m, n, k):
    """C = A·B, launched with blocks of SIDE x SIDE threads."""
    row0 = cuda.blockIdx.y * SIDE * PATCH + cuda.threadIdx.y
    col0 = cuda.blockIdx.x * SIDE * PATCH + cuda.threadIdx.x
    total = cuda.local.array((PATCH, PATCH), float32)
    left = cuda.local.array(PATCH, float32)
    right = cuda.local.array(PATCH, float32)

    for y in range(PATCH):
        for x in range(PATCH):
            total[y, x] = 0
    for i in range(k):
        for j in range(PATCH):
            row = row0 + j * SIDE
            col = col0 + j * SIDE
            left[j] = a[row, i] if row < m else float32(0.0)
            right[j] = b[i, col] if col < n else float32(0.0)
        for y in range(PATCH):
            for x in range(PATCH):
                total[y, x] += left[y] * right[x]
    for y in range(PATCH):
        for x in range(PATCH):
            row = row0 + y * SIDE
            col = col0 + x * SIDE
            if row < m and col < n:
                c[row, col] = total[y, x]
