"""Rung `global`: one thread per pixel. The blur reads the whole window from global memory for each."""

from numba import cuda, float32, int32, uint8


@cuda.jit
def grey(image, out, rows, cols):
    col, row = cuda.grid(2)
    if row < rows and col < cols:
        red = float32(image[row, col, 0])
        green = float32(image[row, col, 1])
        blue = float32(image[row, col, 2])
        out[row, col] = uint8(float32(0.299) * red + float32(0.587) * green + float32(0.114) * blue)


@cuda.jit
def blur(picture, blurred, rows, cols, radius):
    col = int32(cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x)
    row = int32(cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y)
    if row >= rows or col >= cols:
        return
    total = int32(0)
    count = int32(0)
    for r in range(max(0, row - radius), min(rows, row + radius + 1)):
        for c in range(max(0, col - radius), min(cols, col + radius + 1)):
            total += int32(picture[r, c])
            count += 1
    blurred[row, col] = total // count
