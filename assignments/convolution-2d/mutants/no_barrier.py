# mutant: adds up before the tile is there | verdict: wrong | diagnostic: shared-memory race
from numba import cuda, float32


@cuda.jit
def convolve(image, mask, out, rows, cols, m):
    tile = cuda.shared.array((24, 24), float32)
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    for i in range(y, 16 + m - 1, 16):
        for j in range(x, 16 + m - 1, 16):
            r = cuda.blockIdx.y * 16 + i - m // 2
            c = cuda.blockIdx.x * 16 + j - m // 2
            value = float32(0.0)
            if r >= 0 and r < rows and c >= 0 and c < cols:
                value = image[r, c]
            tile[i, j] = value  # <- here
    total = float32(0.0)
    for i in range(m):
        for j in range(m):
            total += mask[i, j] * tile[y + i, x + j]  # <- here
    row = cuda.blockIdx.y * 16 + y
    col = cuda.blockIdx.x * 16 + x
    if row < rows and col < cols:
        out[row, col] = total
