# mutant: blur leaves out the last row and column of the window | verdict: wrong | beside: quads
from numba import cuda, int32


@cuda.jit
def blur(picture, blurred, rows, cols, radius):
    col, row = cuda.grid(2)
    if row < rows and col < cols:
        total = int32(0)
        count = int32(0)
        for r in range(max(0, row - radius), min(rows, row + max(radius, 1))):
            for c in range(max(0, col - radius), min(cols, col + max(radius, 1))):
                total += int32(picture[r, c])
                count += 1
        blurred[row, col] = total // count
