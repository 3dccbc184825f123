# mutant: is right for masks of 3 x 3 and smaller only | verdict: wrong
from numba import cuda, float32


@cuda.jit
def convolve(image, mask, out, rows, cols, m):
    col, row = cuda.grid(2)
    if row < rows and col < cols:
        total = float32(0.0)
        for i in range(min(m, 3)):
            for j in range(min(m, 3)):
                r = row + i - m // 2
                c = col + j - m // 2
                if r >= 0 and r < rows and c >= 0 and c < cols:
                    total += mask[i, j] * image[r, c]
        out[row, col] = total
