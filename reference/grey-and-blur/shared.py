"""Rung `shared`: a block of 16 x 16 threads loads its tile with a halo of up to eight pixels on each side.

Zeros stand where the picture ends, and each thread adds up its window in the tile.
"""

# launch: blur block=16,16 grid=ceil(cols/16),ceil(rows/16)

from numba import cuda, int32, uint8

TILE = 16
MOST = 8
WIDTH = TILE + 2 * MOST


@cuda.jit
def blur(picture, blurred, rows, cols, radius):
    tile = cuda.shared.array((WIDTH, WIDTH), uint8)
    x = int32(cuda.threadIdx.x)
    y = int32(cuda.threadIdx.y)
    top = int32(cuda.blockIdx.y * TILE) - radius
    left = int32(cuda.blockIdx.x * TILE) - radius
    width = TILE + 2 * radius
    for i in range(y, width, TILE):
        for j in range(x, width, TILE):
            r = top + i
            c = left + j
            value = uint8(0)
            if r >= 0 and r < rows and c >= 0 and c < cols:
                value = picture[r, c]
            tile[i, j] = value
    cuda.syncthreads()
    row = int32(cuda.blockIdx.y * TILE) + y
    col = int32(cuda.blockIdx.x * TILE) + x
    if row >= rows or col >= cols:
        return
    total = int32(0)
    for i in range(2 * radius + 1):
        for j in range(2 * radius + 1):
            total += int32(tile[y + i, x + j])
    high = min(rows - 1, row + radius) - max(0, row - radius) + 1
    wide = min(cols - 1, col + radius) - max(0, col - radius) + 1
    blurred[row, col] = total // (high * wide)
