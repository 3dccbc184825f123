"""Rung `shared_padded`: 32 x 32 tiles, and four elements of C per thread.

In `shared` every multiply-add needs two loads from shared memory. Here a thread owns four elements below
one another, and one element of B serves all four. A's tile is kept transposed (a_tile[k, row]), so that the
four elements of A that a thread needs lie side by side; in CUDA C they come in one 16-byte load.

Storing a tile transposed means walking down its columns, and in a (32, 32) array a column lies in a single
bank: a 32-way conflict. Padding moves the rows apart. With four floats, elements 8 columns x 4 rows apart
fall into 32 different banks (4 * column + row), so a warp loads A in patches of that shape.
"""
# launch: matmul block=32,8 grid=ceil(n/32),ceil(m/32)

from numba import cuda, float32

TILE = 32
PITCH = TILE + 4  # a shared array's shape must be made of constants: no sums inside the kernel
PER_THREAD = 4
PATCH = 8


@cuda.jit
def matmul(a, b, c, m, n, k):
    """C = A·B, launched with blocks of 32 x 8 threads."""
    a_tile = cuda.shared.array((TILE, PITCH), float32)
    b_tile = cuda.shared.array((TILE, TILE), float32)

    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    col = cuda.blockIdx.x * TILE + tx
    row = cuda.blockIdx.y * TILE + ty * PER_THREAD

    # The place of this thread in its warp's patch of A.
    patch_row = ty * PER_THREAD + tx // PATCH
    patch_col = tx % PATCH
    a_row = cuda.blockIdx.y * TILE + patch_row

    # Four scalars stay in registers; a local array might not.
    total0 = float32(0.0)
    total1 = float32(0.0)
    total2 = float32(0.0)
    total3 = float32(0.0)
    for step in range(0, k, TILE):
        for i in range(patch_col, TILE, PATCH):
            a_tile[i, patch_row] = a[a_row, step + i] if a_row < m and step + i < k else float32(0.0)
        for i in range(ty, TILE, TILE // PER_THREAD):
            b_tile[i, tx] = b[step + i, col] if step + i < k and col < n else float32(0.0)
        cuda.syncthreads()

        for i in range(TILE):
            b1 = b_tile[i, tx]
            total0 += a_tile[i, ty * PER_THREAD] * b1
            total1 += a_tile[i, ty * PER_THREAD + 1] * b1
            total2 += a_tile[i, ty * PER_THREAD + 2] * b1
            total3 += a_tile[i, ty * PER_THREAD + 3] * b1
        cuda.syncthreads()

    if col < n:
        if row < m:
            c[row, col] = total0
        if row + 1 < m:
            c[row + 1, col] = total1
        if row + 2 < m:
            c[row + 2, col] = total2
        if row + 3 < m:
            c[row + 3, col] = total3
