"""out[row, col] = image[row - down, col - right]; beyond the border the nearest pixel of the image counts.

Launched with blocks of 32 x 8 threads, x along the columns, one thread per pixel. The lab's other kernel,
shift_texture, can be written in CUDA C only: Numba has no textures.
"""

from numba import cuda


@cuda.jit
def shift_global(image, out, rows, cols, down, right):
    # Which pixel is this thread's, and where does it come from? down and right may be negative, too.
    pass
