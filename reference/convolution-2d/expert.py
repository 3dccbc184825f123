"""Rung `expert`: a tile of 32 x 32 pixels, with a halo that is a smaller part of it, and four pixels per thread.

A weight that is loaded serves four sums.
"""

# launch: convolve block=32,8 grid=ceil(cols/32),ceil(rows/32)

from numba import cuda, float32, int32

TILE = 32
ROWS = 8
MOST = 9
WIDTH = TILE + MOST - 1


@cuda.jit(device=True)
def load_tile(tile, image, rows, cols, m):
    """The block's pixels and their halo, zeros where the image ends."""
    width = TILE + m - 1
    top = int32(cuda.blockIdx.y * TILE) - m // 2
    left = int32(cuda.blockIdx.x * TILE) - m // 2
    for i in range(cuda.threadIdx.y, width, ROWS):
        for j in range(cuda.threadIdx.x, width, TILE):
            r = top + i
            c = left + j
            value = float32(0.0)
            if r >= 0 and r < rows and c >= 0 and c < cols:
                value = image[r, c]
            tile[i, j] = value


@cuda.jit
def convolve(image, mask, out, rows, cols, m):
    tile = cuda.shared.array((WIDTH, WIDTH), float32)
    weights = cuda.shared.array((MOST, MOST), float32)
    x = int32(cuda.threadIdx.x)
    y = int32(cuda.threadIdx.y)
    load_tile(tile, image, rows, cols, m)
    for i in range(y, m, ROWS):
        if x < m:
            weights[i, x] = mask[i, x]
    cuda.syncthreads()

    sum0 = float32(0.0)
    sum1 = float32(0.0)
    sum2 = float32(0.0)
    sum3 = float32(0.0)
    for j in range(m):
        # Three pixels of the column are there already when the next one comes.
        pixel0 = tile[4 * y, x + j]
        pixel1 = tile[4 * y + 1, x + j]
        pixel2 = tile[4 * y + 2, x + j]
        for i in range(m):
            weight = weights[i, j]
            pixel3 = tile[4 * y + i + 3, x + j]
            sum0 += weight * pixel0
            sum1 += weight * pixel1
            sum2 += weight * pixel2
            sum3 += weight * pixel3
            pixel0 = pixel1
            pixel1 = pixel2
            pixel2 = pixel3
    row = cuda.blockIdx.y * TILE + 4 * y
    col = cuda.blockIdx.x * TILE + x
    if col < cols:
        if row < rows:
            out[row, col] = sum0
        if row + 1 < rows:
            out[row + 1, col] = sum1
        if row + 2 < rows:
            out[row + 2, col] = sum2
        if row + 3 < rows:
            out[row + 3, col] = sum3
