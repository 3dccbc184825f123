"""Rung `shared`: a block of 16 x 16 threads loads its tile with a halo of up to four pixels on each side.

Zeros stand where the image ends, so the sum needs no question. The mask is in shared memory, too.
"""

# launch: convolve block=16,16 grid=ceil(cols/16),ceil(rows/16)

from numba import cuda, float32, int32

TILE = 16
MOST = 9
WIDTH = TILE + MOST - 1


@cuda.jit
def convolve(image, mask, out, rows, cols, m):
    tile = cuda.shared.array((WIDTH, WIDTH), float32)
    weights = cuda.shared.array((MOST, MOST), float32)
    x = int32(cuda.threadIdx.x)
    y = int32(cuda.threadIdx.y)
    radius = m // 2
    width = TILE + m - 1
    top = int32(cuda.blockIdx.y * TILE) - radius
    left = int32(cuda.blockIdx.x * TILE) - radius
    for i in range(y, width, TILE):
        for j in range(x, width, TILE):
            r = top + i
            c = left + j
            value = float32(0.0)
            if r >= 0 and r < rows and c >= 0 and c < cols:
                value = image[r, c]
            tile[i, j] = value
    if x < m and y < m:
        weights[y, x] = mask[y, x]
    cuda.syncthreads()

    total = float32(0.0)
    for i in range(m):
        for j in range(m):
            total += weights[i, j] * tile[y + i, x + j]
    row = cuda.blockIdx.y * TILE + y
    col = cuda.blockIdx.x * TILE + x
    if row < rows and col < cols:
        out[row, col] = total
