"""Rung `expert`: four rows per thread, so that four loads are on their way at once.

The column is clamped once for all four. Neighbouring threads still have neighbouring pixels, and a quarter as many
threads are started. It takes about as long as reading and writing the image takes.
"""

from numba import cuda


@cuda.jit(device=True)
def inside(place, size):
    """The nearest place that there is."""
    return min(max(place, 0), size - 1)


# launch: shift_global block=32,8 grid=ceil(cols/32),ceil(rows/32)
@cuda.jit
def shift_global(image, out, rows, cols, down, right):
    """out[row, col] = image[row - down, col - right], clamped to the image; 32 x 32 pixels a block."""
    col = cuda.blockIdx.x * 32 + cuda.threadIdx.x
    row = cuda.blockIdx.y * 32 + cuda.threadIdx.y
    if col < cols:
        from_col = inside(col - right, cols)
        # Clamped, every row can be read, even for a pixel that is not there to be written.
        first = image[inside(row - down, rows), from_col]
        second = image[inside(row + 8 - down, rows), from_col]
        third = image[inside(row + 16 - down, rows), from_col]
        fourth = image[inside(row + 24 - down, rows), from_col]
        if row < rows:
            out[row, col] = first
        if row + 8 < rows:
            out[row + 8, col] = second
        if row + 16 < rows:
            out[row + 16, col] = third
        if row + 24 < rows:
            out[row + 24, col] = fourth
