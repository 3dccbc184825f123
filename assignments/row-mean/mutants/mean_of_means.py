# mutant: row_mean_shared averages the means of the tiles, though the last is narrower | verdict: wrong | beside: global, shared_padded
from numba import cuda, float32


@cuda.jit
def row_mean_shared(a, row_means, column_means, rows, cols):
    tile = cuda.shared.array((32, 32), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    top = cuda.blockIdx.x * 32

    mean = float32(0)
    tiles = (cols + 31) // 32
    for t in range(tiles):
        width = min(32, cols - t * 32)
        for k in range(ty, 32, 8):
            if top + k < rows and tx < width:
                tile[k, tx] = a[top + k, t * 32 + tx]
        cuda.syncthreads()
        if ty == 0 and top + tx < rows:
            s = float32(0)
            for k in range(width):
                s += tile[tx, k]
            mean += s / width / tiles
        cuda.syncthreads()
    if ty == 0 and top + tx < rows:
        row_means[top + tx] = mean

    if ty == 1 and top + tx < cols:
        s = float32(0)
        for r in range(rows):
            s += a[r, top + tx]
        column_means[top + tx] = s / rows
