"""Rung `global`: one thread looks through one row for its largest element.

It begins with the row's first element, not with 0: in a row of negative numbers 0 would win without being there.
The loads are what is slow. At every step the 32 threads of a warp read 32 different rows, so each load touches 32
sectors of memory for 128 bytes that it needs; and a thousand rows are only a thousand threads.
"""

from numba import cuda


@cuda.jit
def row_max_global(a, out, rows, cols):
    """Largest element of each row, one thread per row."""
    row = cuda.grid(1)
    if row < rows:
        largest = a[row, 0]
        for col in range(1, cols):
            largest = max(largest, a[row, col])
        out[row] = largest
