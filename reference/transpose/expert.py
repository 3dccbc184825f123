"""Rung `expert`: 64 x 64 tiles, 16 elements per thread.

`shared_padded` has every access right and still leaves memory waiting: a thread asks for four numbers and then stops at
the barrier. Here it asks for sixteen, and a row of the tile is 256 bytes, which memory delivers better than 128. The
loops have constant bounds and no condition inside a whole tile, so that the compiler can put all sixteen loads first.
"""

from numba import cuda, float32

TILE = 64
PITCH = TILE + 1  # a shared array's shape must be made of constants: no sums inside the kernel
WARP = 32
WARPS = 8


@cuda.jit(device=True)
def move_whole(tile, a, b, row0, col0):
    """All 64 x 64 elements from a[row0, col0] on."""
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    for i in range(TILE // WARPS):
        for j in range(TILE // WARP):
            tile[ty + i * WARPS, tx + j * WARP] = a[row0 + ty + i * WARPS, col0 + tx + j * WARP]
    cuda.syncthreads()
    for i in range(TILE // WARPS):
        for j in range(TILE // WARP):
            b[col0 + ty + i * WARPS, row0 + tx + j * WARP] = tile[tx + j * WARP, ty + i * WARPS]


@cuda.jit(device=True)
def move_edge(tile, a, b, rows, cols, row0, col0):
    """What there is of them, where the matrix ends."""
    tx = cuda.threadIdx.x
    for i in range(cuda.threadIdx.y, TILE, WARPS):
        for j in range(tx, TILE, WARP):
            if row0 + i < rows and col0 + j < cols:
                tile[i, j] = a[row0 + i, col0 + j]
    cuda.syncthreads()
    for i in range(cuda.threadIdx.y, TILE, WARPS):
        for j in range(tx, TILE, WARP):
            if col0 + i < cols and row0 + j < rows:
                b[col0 + i, row0 + j] = tile[j, i]


# launch: transpose block=32,8 grid=ceil(cols/64),ceil(rows/64)
@cuda.jit
def transpose(a, b, rows, cols):
    """B = A transposed, launched with blocks of 32 x 8 threads, a tile of 64 x 64 each."""
    tile = cuda.shared.array((TILE, PITCH), float32)

    col0 = cuda.blockIdx.x * TILE
    row0 = cuda.blockIdx.y * TILE
    if row0 + TILE <= rows and col0 + TILE <= cols:
        move_whole(tile, a, b, row0, col0)
    else:
        move_edge(tile, a, b, rows, cols, row0, col0)
