"""Rung `global`: one thread computes one element of C, reading both factors straight from global memory.

The threads of a warp are neighbours in x, so they share a row of A (one address, broadcast to all of them)
and read 16 neighbouring elements of a row of B (coalesced). The accesses are as good as they get; there are
only far too many: 2k loads for 2k arithmetic operations, while the same rows and columns are fetched again
by other blocks.
"""

from numba import cuda, float32


@cuda.jit
def matmul(a, b, c, m, n, k):
    """C = A·B; the grid covers whole blocks, and the last ones stick out of C."""
    col, row = cuda.grid(2)
    if row < m and col < n:
        # A plain 0.0 would be a float64, and the whole sum with it.
        total = float32(0.0)
        for i in range(k):
            total += a[row, i] * b[i, col]
        c[row, col] = total
