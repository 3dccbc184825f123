"""Rung `global`: one thread adds up the squares of one row, straight from global memory.

At each step a warp asks for 32 elements that are a whole row apart: 32 sectors, of which it uses four bytes each.
The squares are free: a fused multiply-add takes no longer than an addition, and memory is what everybody waits
for. Few threads wait, too: one per row.
"""

from numba import cuda, float32


@cuda.jit
def row_sum_squares_global(a, out, rows, cols):
    """Sum of the squares of each row, one thread per row."""
    row = cuda.grid(1)
    if row < rows:
        total = float32(0.0)
        for col in range(cols):
            x = a[row, col]
            total += x * x
        out[row] = total
