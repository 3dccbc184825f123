"""Rung `global`: one thread computes one element of C, reading both factors straight from global memory.

Python's integers have no size, so Numba must choose one, and it chooses 64 bits: the product of two int32 is an int64,
and so is whatever it is added to. Stored into C, such a sum has the right low 32 bits. But it takes two registers, and
each step a product and an addition of 64 bits. `int32(...)` around each new sum keeps it narrow: the compiler sees that
the upper half is thrown away, and computes none.

Each multiply-add needs two loads. A GPU can start many times more multiply-adds than loads per clock, so the
arithmetic units wait.
"""

from numba import cuda, int32


@cuda.jit
def matmul_int32(a, b, c, m, n, k):
    """C = A·B; the grid covers whole blocks, and the last ones stick out of C."""
    col, row = cuda.grid(2)
    if row < m and col < n:
        total = int32(0)
        for i in range(k):
            total = int32(total + a[row, i] * b[i, col])
        c[row, col] = total
