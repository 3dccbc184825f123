# mutant: eight threads share a row, and each adds its part to the output | verdict: wrong | diagnostic: global-memory race
# launch: spmv block=256 grid=ceil(rows/32)
from numba import cuda, float32


@cuda.jit
def spmv(row_starts, columns, values, x, y, rows):
    row = cuda.grid(1) // 8
    part = cuda.grid(1) % 8
    s = float32(0.0)
    if row < rows:
        for i in range(row_starts[row] + part, row_starts[row + 1], 8):
            s += values[i] * x[columns[i]]
        if part == 0:
            y[row] = 0.0
    cuda.syncthreads()
    if row < rows:
        y[row] += s  # <- here
