# mutant: row_sum_shared and row_sum_shared_padded use no shared memory | verdict: accepted | part: technique | beside: global
from numba import cuda, float32


@cuda.jit
def row_sum_shared(a, out, rows, cols):
    row = cuda.blockIdx.x * 32 + cuda.threadIdx.x
    if cuda.threadIdx.y == 0 and row < rows:
        total = float32(0.0)
        for col in range(cols):
            total += a[row, col]
        out[row] = total


@cuda.jit
def row_sum_shared_padded(a, out, rows, cols):
    row = cuda.blockIdx.x * 32 + cuda.threadIdx.x
    if cuda.threadIdx.y == 0 and row < rows:
        total = float32(0.0)
        for col in range(cols):
            total += a[row, col]
        out[row] = total
