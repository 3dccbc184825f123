# mutant: only one of the four elements per thread is moved | verdict: wrong
from numba import cuda


@cuda.jit
def transpose(a, b, rows, cols):
    col = cuda.blockIdx.x * 32 + cuda.threadIdx.x
    row = cuda.blockIdx.y * 32 + cuda.threadIdx.y
    if row < rows and col < cols:
        b[col, row] = a[row, col]
