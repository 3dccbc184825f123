# mutant: knows only the rows of the first block | verdict: wrong
from numba import cuda, float32


@cuda.jit
def matvec(a, x, y, rows, cols):
    row = cuda.threadIdx.x
    if row < rows:
        total = float32(0.0)
        for col in range(cols):
            total += a[row, col] * x[col]
        y[row] = total
