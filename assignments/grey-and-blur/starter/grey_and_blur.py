"""Both kernels are launched with blocks of 16 x 16 threads, one for each pixel."""

from numba import cuda


@cuda.jit
def grey(image, out, rows, cols):
    # out = 0.299 * red + 0.587 * green + 0.114 * blue, the elements 0, 1 and 2 of image[row, col].
    pass


@cuda.jit
def blur(picture, blurred, rows, cols, radius):
    # blurred = the mean of all pixels that are at most radius rows and radius columns away and exist; radius <= 8.
    pass
