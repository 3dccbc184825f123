"""A transpose in Numba that tests launch from host code of their own."""

NUMBA_TRANSPOSE = """\
import math
from numba import cuda, float32

@cuda.jit
def transpose(a, b, rows, cols):
    tile = cuda.shared.array((16, 17), float32)
    x = cuda.blockIdx.x * 16 + cuda.threadIdx.x
    y = cuda.blockIdx.y * 16 + cuda.threadIdx.y
    if x < cols and y < rows:
        tile[cuda.threadIdx.y, cuda.threadIdx.x] = a[y, x]
    cuda.syncthreads()
    out = cuda.blockIdx.y * 16 + cuda.threadIdx.x
    row = cuda.blockIdx.x * 16 + cuda.threadIdx.y
    if out < rows and row < cols:
        b[row, out] = tile[cuda.threadIdx.x, cuda.threadIdx.y]

"""
