"""A naive transposition in which each element passes through shared memory to another warp."""

from numba import cuda, float32


@cuda.jit
def transpose(a, b, rows, cols):
    handed = cuda.shared.array((8, 32), float32)
    col = cuda.blockIdx.x * 32 + cuda.threadIdx.x
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    for i in range(0, 32, 8):
        loaded = cuda.blockIdx.y * 32 + i + (y ^ 1)
        row = cuda.blockIdx.y * 32 + i + y
        if loaded < rows and col < cols:
            handed[y, x] = a[loaded, col]
        cuda.syncthreads()
        if row < rows and col < cols:
            b[col, row] = handed[y ^ 1, x]
        cuda.syncthreads()
