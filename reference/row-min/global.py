"""Rung `global`: a thread per row, a comparison per element.

The search starts at +infinity, which every number undercuts. `np.finfo(np.float32).tiny` would be wrong: it is the
smallest *positive* normal number, not the smallest. Comparisons cost next to nothing here; a warp waits for 32 sectors
at every load, one from each of its rows, and uses 4 of the 32 bytes of each before the cache may have lost the rest.
"""

import math

from numba import cuda, float32


@cuda.jit
def row_min_global(a, out, rows, cols):
    """Smallest element of each row, one thread per row."""
    row = cuda.grid(1)
    if row < rows:
        smallest = float32(math.inf)
        for col in range(cols):
            x = a[row, col]
            if x < smallest:  # noqa: PLR1730 - the comparison is the lesson
                smallest = x
        out[row] = smallest
