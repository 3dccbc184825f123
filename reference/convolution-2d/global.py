"""Rung `global`: one thread per pixel.

It reads its m * m neighbours from global memory, and asks of each whether it exists.
"""

from numba import cuda, float32, int32


@cuda.jit
def convolve(image, mask, out, rows, cols, m):
    col = int32(cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x)
    row = int32(cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y)
    if row >= rows or col >= cols:
        return
    radius = m // 2
    total = float32(0.0)
    for i in range(m):
        for j in range(m):
            r = row + i - radius
            c = col + j - radius
            if r >= 0 and r < rows and c >= 0 and c < cols:
                total += mask[i, j] * image[r, c]
    out[row, col] = total
