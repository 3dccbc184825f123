# mutant: sweep takes the cell itself for a neighbour outside, so no heat leaves at the edges | verdict: wrong | beside: expert
from numba import cuda


@cuda.jit
def sweep(heat, source, after, moving, loss, least, rows, cols):
    col, row = cuda.grid(2)
    if row < rows and col < cols:
        total = heat[row, max(col - 1, 0)] + heat[row, min(col + 1, cols - 1)]
        total += heat[max(row - 1, 0), col] + heat[min(row + 1, rows - 1), col]
        after[row, col] = (total + source[row, col]) / (4 + loss)
        if abs(after[row, col] - heat[row, col]) > least:
            cuda.atomic.exch(moving, 0, 1)
