"""Rung `quads`: Numba loads no four pixels at once. Products of whole numbers and a shift replace six conversions."""

# launch: grey block=128,2 grid=ceil(cols/128),ceil(rows/2)

from numba import cuda, int32


@cuda.jit
def grey(image, out, rows, cols):
    col = int32(cuda.blockIdx.x * 128 + cuda.threadIdx.x)
    row = int32(cuda.blockIdx.y * 2 + cuda.threadIdx.y)
    if row < rows and col < cols:
        red = int32(image[row, col, 0])
        green = int32(image[row, col, 1])
        blue = int32(image[row, col, 2])
        out[row, col] = (19595 * red + 38470 * green + 7471 * blue) >> 16
