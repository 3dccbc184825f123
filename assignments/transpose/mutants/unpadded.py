# mutant: the tile is not padded | verdict: accepted | diagnostic: bank conflict | part: technique
from numba import cuda, float32

TILE = 32
PITCH = 32


@cuda.jit
def transpose(a, b, rows, cols):
    tile = cuda.shared.array((TILE, PITCH), float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    col0 = cuda.blockIdx.x * TILE
    row0 = cuda.blockIdx.y * TILE
    for i in range(ty, TILE, 8):
        if row0 + i < rows and col0 + tx < cols:
            tile[i, tx] = a[row0 + i, col0 + tx]
    cuda.syncthreads()
    for i in range(ty, TILE, 8):
        if col0 + i < cols and row0 + tx < rows:
            b[col0 + i, row0 + tx] = tile[tx, i]  # <- here
