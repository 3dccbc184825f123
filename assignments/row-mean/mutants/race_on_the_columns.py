# mutant: in row_mean_shared_padded all blocks add to the columns at once | verdict: wrong | diagnostic: global-memory race | beside: global, shared
from numba import cuda, float32


@cuda.jit
def row_mean_shared_padded(a, row_means, column_means, rows, cols):
    tile = cuda.shared.array((32, 33), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    top = cuda.blockIdx.x * 32

    if cuda.blockIdx.x == 0:
        for c in range(ty * 32 + tx, cols, 256):
            column_means[c] = 0
    cuda.syncthreads()

    s = float32(0)
    for left in range(0, cols, 32):
        for k in range(ty, 32, 8):
            tile[k, tx] = a[top + k, left + tx] if top + k < rows and left + tx < cols else float32(0)
        cuda.syncthreads()
        if ty == 0:
            for k in range(32):
                s += tile[tx, k]
        elif ty == 1 and left + tx < cols:
            t = float32(0)
            for k in range(32):
                t += tile[k, tx]
            column_means[left + tx] += t / rows  # <- here
        cuda.syncthreads()
    if ty == 0 and top + tx < rows:
        row_means[top + tx] = s / cols
