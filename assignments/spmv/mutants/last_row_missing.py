# mutant: leaves out the last row, as if row_starts had one number per row | verdict: wrong
from numba import cuda, float32


@cuda.jit
def spmv(row_starts, columns, values, x, y, rows):
    row = cuda.grid(1)
    if row < rows - 1:
        s = float32(0.0)
        for i in range(row_starts[row], row_starts[row + 1]):
            s += values[i] * x[columns[i]]
        y[row] = s
