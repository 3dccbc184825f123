# mutant: row_sum_squares_shared_padded pads the rows of the wrong dimension | verdict: accepted | diagnostic: bank conflict | part: technique | beside: global, shared
from numba import cuda, float32


@cuda.jit
def row_sum_squares_shared_padded(a, out, rows, cols):
    tile = cuda.shared.array((33, 32), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    top = cuda.blockIdx.x * 32
    s = float32(0)
    for left in range(0, cols, 32):
        for k in range(y, 32, 8):
            if top + k < rows and left + x < cols:
                tile[k, x] = a[top + k, left + x] ** 2
            else:
                tile[k, x] = 0
        cuda.syncthreads()
        for k in range(y, 32, 8):
            s += tile[x, k]  # <- here
        cuda.syncthreads()
    tile[y, x] = s
    cuda.syncthreads()
    if y == 0 and top + x < rows:
        for k in range(1, 8):
            s += tile[k, x]
        out[top + x] = s
