"""Rung `shared_padded`: 32 x 32 tiles, and four elements of C per thread.

In `shared` every multiply-add needs two loads from shared memory. Here a thread owns four elements below one
another: one element of B serves all four, and the four elements of A come in one 16-byte load, because A's tile
is kept transposed (a_tile[k, row]) and those four lie side by side.

Storing a tile transposed means walking down its columns, and in a (32, 32) array a column lies in a single
bank: a 32-way conflict. Padding moves the rows apart. It must be a multiple of four floats to keep the 16-byte
loads aligned; with four, elements 8 columns x 4 rows apart fall into 32 different banks (4 * column + row), so
a warp loads A in patches of that shape.

Numba has no 16-byte load to ask for: the compiler joins four loads when it can see that they are neighbours and
aligned. Signed indices hide that, since a negative one counts from the end and each has to be checked for it;
hence the unsigned ones.
"""
# launch: matmul block=32,8 grid=ceil(n/32),ceil(m/32)

from numba import cuda, float32, uint64

TILE = 32
PITCH = TILE + 4  # a shared array's shape must be made of constants: no sums inside the kernel
PER_THREAD = 4
PATCH = 8


@cuda.jit
def matmul(a, b, c, m, n, k):
    """C = A·B, launched with blocks of 32 x 8 threads."""
    a_tile = cuda.shared.array((TILE, PITCH), float32, alignment=16)
    b_tile = cuda.shared.array((TILE, TILE), float32)

    tx = uint64(cuda.threadIdx.x)
    ty = cuda.threadIdx.y
    col = cuda.blockIdx.x * TILE + cuda.threadIdx.x
    first = uint64(ty * PER_THREAD)
    row = cuda.blockIdx.y * TILE + ty * PER_THREAD

    # The place of this thread in its warp's patch of A.
    patch_row = ty * PER_THREAD + cuda.threadIdx.x // PATCH
    patch_col = cuda.threadIdx.x % PATCH
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

        at = uint64(0)
        while at < uint64(TILE):
            b1 = b_tile[at, tx]
            total0 += a_tile[at, first] * b1
            total1 += a_tile[at, first + uint64(1)] * b1
            total2 += a_tile[at, first + uint64(2)] * b1
            total3 += a_tile[at, first + uint64(3)] * b1
            at += uint64(1)
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
