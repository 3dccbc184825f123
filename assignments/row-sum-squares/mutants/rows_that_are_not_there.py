# mutant: row_sum_squares_shared asks whether the column exists, not whether the row does | verdict: crashed | diagnostic: out of bounds | beside: global, shared_padded
from numba import cuda, float32


@cuda.jit
def row_sum_squares_shared(a, out, rows, cols):
    tile = cuda.shared.array((32, 32), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    top = cuda.blockIdx.x * 32
    s = float32(0)
    for left in range(0, cols, 32):
        for k in range(y, 32, 8):
            tile[k, x] = 0
            if left + x < cols:
                tile[k, x] = a[top + k, left + x]  # <- here
        cuda.syncthreads()
        for k in range(y, 32, 8):
            s += tile[x, k] * tile[x, k]
        cuda.syncthreads()
    tile[y, x] = s
    cuda.syncthreads()
    if y == 0 and top + x < rows:
        for k in range(1, 8):
            s += tile[k, x]
        out[top + x] = s
