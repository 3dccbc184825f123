"""Rung `global`: one thread adds up one row, straight from global memory.

Neighbouring threads read elements that are a whole row apart, so each of a warp's 32 loads falls into a
sector of its own: 32 sectors where 4 would do. Only the cache softens that, by keeping a sector for the
next seven steps. And there are only as many threads as rows: too few to hide the latency of memory.
"""

from numba import cuda, float32


@cuda.jit
def row_sum_global(a, out, rows, cols):
    """Sum of each row, one thread per row."""
    row = cuda.grid(1)
    if row < rows:
        # A plain 0.0 would be a float64, and the whole sum with it.
        total = float32(0.0)
        for col in range(cols):
            total += a[row, col]
        out[row] = total
