# mutant: grey computes pixels outside the image | verdict: crashed | diagnostic: out of bounds | beside: shared
from numba import cuda


@cuda.jit
def grey(image, out, rows, cols):
    col, row = cuda.grid(2)
    out[row, col] = 0.299 * image[row, col, 0] + 0.587 * image[row, col, 1] + 0.114 * image[row, col, 2]  # <- here
