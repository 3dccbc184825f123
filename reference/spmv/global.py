"""Rung `global`: one thread computes one element of y and walks along its row of the matrix alone.

Neighbouring threads are in different rows, so they read values and columns some way apart: not coalesced.
The rows differ in length, and a warp is busy until its longest row is done, with ever fewer of its lanes.
The longest row of all decides when the kernel ends: thousands of loads, one after the other, in a single
thread.
"""

from numba import cuda, float32


@cuda.jit
def spmv(row_starts, columns, values, x, y, rows):
    """Compute y = A x, A in CSR, one thread per row."""
    row = cuda.grid(1)
    if row < rows:
        # A plain 0.0 would be a float64, and the whole sum with it.
        total = float32(0.0)
        for i in range(row_starts[row], row_starts[row + 1]):
            total += values[i] * x[columns[i]]
        y[row] = total
