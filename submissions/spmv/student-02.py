# launch: spmv block=128 grid=ceil(rows/16)
# eight threads per row
from numba import cuda, float32


@cuda.jit
def spmv(row_starts, columns, values, x, y, rows):
    t = cuda.grid(1)
    row = t // 8
    s = float32(0.0)
    if row < rows:
        for i in range(row_starts[row] + t % 8, row_starts[row + 1], 8):
            s += values[i] * x[columns[i]]
    for d in (4, 2, 1):
        s += cuda.shfl_xor_sync(0xFFFFFFFF, s, d)
    if row < rows and t % 8 == 0:
        y[row] = s
