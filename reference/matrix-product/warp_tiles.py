"""A product of matrices with a tile of C per block, a part of it per warp, and 8 x 8 elements of that per thread."""

from numba import cuda, uint64
from tiles import PAD, fetch_straight, fetch_transposed, store_straight, store_transposed, write_rows

# The side of a block's tile. Labs have macros called TILE, and a sweep sets all constants of that name.
BLOCK_TILE = 128
DEPTH = 8
PITCH = BLOCK_TILE + 4  # of the tiles in shared memory, the padding included
THREADS = 256
HELD = BLOCK_TILE * DEPTH // THREADS

# Eight warps, four below one another and two side by side, each with 32 x 64 elements of C.
WARP_ROWS = uint64(32)
WARP_COLS = uint64(64)
# The 32 threads of a warp in four rows of eight. A thread has four patches of 4 x 4: its own quad of rows and of
# columns, and those half a warp's part further on. So the quads that a warp loads together lie side by side.
LANE_COLS = uint64(8)
QUAD = uint64(4)
TWO = uint64(2)


@cuda.jit(device=True)
def place():
    """The row and the column of this thread's first element within the tile."""
    warp = cuda.threadIdx.x // 32
    lane = cuda.threadIdx.x % 32
    quad_row = warp // 2 * 8 + lane // 8
    quad_col = warp % 2 * 16 + lane % 8
    return uint64(quad_row * 4), uint64(quad_col * 4)


@cuda.jit(device=True)
def multiply(total, first, second, row, col):
    """Add the product of two tiles to this thread's elements."""
    left = cuda.local.array(8, total.dtype)
    right = cuda.local.array(8, total.dtype)
    for i in range(uint64(DEPTH)):
        # Four loads of four elements serve 64 multiply-adds.
        for j in range(QUAD):
            left[j] = first[i, PAD + row + j]
            left[QUAD + j] = first[i, PAD + row + WARP_ROWS // TWO + j]
            right[j] = second[i, PAD + col + j]
            right[QUAD + j] = second[i, PAD + col + WARP_COLS // TWO + j]
        for y in range(uint64(8)):
            for x in range(uint64(8)):
                total[y, x] += left[y] * right[x]


@cuda.jit(device=True)
def accumulate(total, first, second, a, b, m, n, k, transposed):
    """Add up this block's tile of the product; each thread keeps its own part of it in `total`, an (8, 8) array.

    `first` and `second` are (2, DEPTH, PITCH) arrays in shared memory: one tile of each is read while the next is
    written, so that a step needs one barrier. `transposed`: B is a matrix [n][k] that counts as transposed.
    """
    thread = cuda.threadIdx.x
    row0 = cuda.blockIdx.y * BLOCK_TILE
    col0 = cuda.blockIdx.x * BLOCK_TILE
    row, col = place()
    a_held = cuda.local.array(HELD, total.dtype)
    b_held = cuda.local.array(HELD, total.dtype)

    for y in range(uint64(8)):
        for x in range(uint64(8)):
            total[y, x] = 0

    now = uint64(0)
    for step in range(0, k + DEPTH, DEPTH):
        # The next tile is on its way while this one is multiplied.
        if step < k:
            fetch_transposed(a_held, a, m, k, row0, step, BLOCK_TILE, thread, THREADS)
            if transposed:
                fetch_transposed(b_held, b, n, k, col0, step, BLOCK_TILE, thread, THREADS)
            else:
                fetch_straight(b_held, b, n, k, col0, step, BLOCK_TILE, thread, THREADS)
        if step > 0:
            multiply(total, first[now], second[now], row, col)
            now = uint64(1) - now
        if step < k:
            store_transposed(first[now], a_held, BLOCK_TILE, thread, THREADS)
            if transposed:
                store_transposed(second[now], b_held, BLOCK_TILE, thread, THREADS)
            else:
                store_straight(second[now], b_held, BLOCK_TILE, thread, THREADS)
        cuda.syncthreads()


@cuda.jit(device=True)
def write(total, stage, c, m, n):
    """This block's tile, by way of `stage`: an (8, PITCH) array in shared memory."""
    write_half(total, uint64(0), stage, c, m, n)
    write_half(total, uint64(4), stage, c, m, n)


@cuda.jit(device=True)
def write_half(total, half, stage, c, m, n):
    """Of each thread's elements, the four rows from `half` on.

    Two rows of eight threads, in two warps side by side, hold eight rows of C: as much as `stage` has room for.
    """
    row, col = place()
    for piece in range(8):
        # Of every 32 rows, this half has 16.
        first_row = uint64(piece // 2) * WARP_ROWS + uint64(piece % 2) * uint64(8)
        if first_row <= row < first_row + uint64(8):
            for y in range(QUAD):
                for x in range(uint64(8)):
                    stage[row - first_row + y, PAD + col + x // QUAD * (WARP_COLS // TWO) + x % QUAD] = total[
                        half + y, x
                    ]
        cuda.syncthreads()
        row0 = cuda.blockIdx.y * BLOCK_TILE + first_row + half // QUAD * (WARP_ROWS // TWO)
        write_rows(
            c, m, n, row0, cuda.blockIdx.x * BLOCK_TILE, stage, 8, BLOCK_TILE, cuda.threadIdx.x, THREADS
        )
        cuda.syncthreads()


@cuda.jit(device=True)
def write_mirrored(total, stage, c, m, n):
    """The same elements mirrored at the diagonal, for a C that is symmetric."""
    write_mirrored_half(total, uint64(0), stage, c, m, n)
    write_mirrored_half(total, uint64(4), stage, c, m, n)


@cuda.jit(device=True)
def write_mirrored_half(total, half, stage, c, m, n):
    """Of each thread's elements, the four columns from `half` on: as rows of C."""
    row, col = place()
    for piece in range(8):
        # Of every 64 columns, this half has 32.
        first_col = uint64(piece // 4) * WARP_COLS + uint64(piece % 4) * uint64(8)
        if first_col <= col < first_col + uint64(8):
            for x in range(QUAD):
                for y in range(uint64(8)):
                    stage[col - first_col + x, PAD + row + y // QUAD * (WARP_ROWS // TWO) + y % QUAD] = total[
                        y, half + x
                    ]
        cuda.syncthreads()
        row0 = cuda.blockIdx.x * BLOCK_TILE + first_col + half // QUAD * (WARP_COLS // TWO)
        write_rows(
            c, n, m, row0, cuda.blockIdx.y * BLOCK_TILE, stage, 8, BLOCK_TILE, cuda.threadIdx.x, THREADS
        )
        cuda.syncthreads()
