# mutant: <= for < in the bounds | verdict: crashed | diagnostic: out of bounds
from numba import cuda


@cuda.jit
def transpose(a, b, rows, cols):
    col = cuda.blockIdx.x * 32 + cuda.threadIdx.x
    for i in range(0, 32, 8):
        row = cuda.blockIdx.y * 32 + cuda.threadIdx.y + i
        if row <= rows and col <= cols:
            b[col, row] = a[row, col]  # <- here
