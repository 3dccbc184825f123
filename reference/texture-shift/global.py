"""Rung `global`: straight from global memory, the borders by min and max.

Each thread has one pixel of the result and looks up the pixel it comes from; beyond the border the nearest pixel
counts. Neighbouring threads read neighbouring pixels, a few columns on: five sectors instead of four for a warp, and
the fifth is in the cache when the next warp asks. What limits it is one load per thread to wait for.
"""

from numba import cuda


@cuda.jit
def shift_global(image, out, rows, cols, down, right):
    """out[row, col] = image[row - down, col - right], clamped to the image."""
    col, row = cuda.grid(2)
    if row < rows and col < cols:
        from_row = min(max(row - down, 0), rows - 1)
        from_col = min(max(col - right, 0), cols - 1)
        out[row, col] = image[from_row, from_col]
