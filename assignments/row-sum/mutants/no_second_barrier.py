# mutant: row_sum_shared_padded loads the next tile while this one is read | verdict: wrong | diagnostic: shared-memory race | beside: global, shared
from numba import cuda, float32


@cuda.jit
def row_sum_shared_padded(a, out, rows, cols):
    tile = cuda.shared.array((32, 33), float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    row0 = cuda.blockIdx.x * 32
    total = float32(0.0)
    for col0 in range(0, cols, 32):
        for i in range(ty, 32, 8):
            inside = row0 + i < rows and col0 + tx < cols
            tile[i, tx] = a[row0 + i, col0 + tx] if inside else float32(0.0)
        cuda.syncthreads()
        for i in range(ty, 32, 8):
            total += tile[tx, i]  # <- here
    tile[ty, tx] = total
    cuda.syncthreads()
    if ty == 0 and row0 + tx < rows:
        for i in range(1, 8):
            total += tile[i, tx]
        out[row0 + tx] = total
