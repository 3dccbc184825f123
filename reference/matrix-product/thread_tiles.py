"""A product of matrices with a tile of C per block and a patch of 4 x 4 elements of it per thread."""

from numba import cuda, uint64
from tiles import PAD, fetch_straight, fetch_transposed, store_straight, store_transposed, write_rows

# The side of a block's tile. Labs have macros called TILE, and a sweep sets all constants of that name.
BLOCK_TILE = 64
DEPTH = 16
PITCH = BLOCK_TILE + 4  # of the tiles in shared memory, the padding included
SIDE = BLOCK_TILE // 4
THREADS = SIDE * SIDE
HELD = BLOCK_TILE * DEPTH // THREADS


@cuda.jit(device=True)
def blocked_product(total, first, second, a, b, c, m, n, k, transposed):
    """BLOCK_TILE x BLOCK_TILE elements of C by a block of SIDE x SIDE threads.

    `total` is a (4, 4) array of the thread's own, `first` and `second` are (DEPTH, PITCH) arrays in shared memory.
    `transposed`: B is a matrix [n][k] that counts as transposed.
    """
    thread = cuda.threadIdx.y * SIDE + cuda.threadIdx.x
    row0 = cuda.blockIdx.y * BLOCK_TILE
    col0 = cuda.blockIdx.x * BLOCK_TILE
    row = uint64(cuda.threadIdx.y * 4)
    col = uint64(cuda.threadIdx.x * 4)
    left = cuda.local.array(4, total.dtype)
    right = cuda.local.array(4, total.dtype)
    a_held = cuda.local.array(HELD, total.dtype)
    b_held = cuda.local.array(HELD, total.dtype)

    for y in range(uint64(4)):
        for x in range(uint64(4)):
            total[y, x] = 0

    for step in range(0, k, DEPTH):
        fetch_transposed(a_held, a, m, k, row0, step, BLOCK_TILE, thread, THREADS)
        if transposed:
            fetch_transposed(b_held, b, n, k, col0, step, BLOCK_TILE, thread, THREADS)
            store_transposed(second, b_held, BLOCK_TILE, thread, THREADS)
        else:
            fetch_straight(b_held, b, n, k, col0, step, BLOCK_TILE, thread, THREADS)
            store_straight(second, b_held, BLOCK_TILE, thread, THREADS)
        store_transposed(first, a_held, BLOCK_TILE, thread, THREADS)
        cuda.syncthreads()

        for i in range(uint64(DEPTH)):
            # Two loads of four elements serve 16 multiply-adds.
            for j in range(uint64(4)):
                left[j] = first[i, PAD + row + j]
                right[j] = second[i, PAD + col + j]
            for y in range(uint64(4)):
                for x in range(uint64(4)):
                    total[y, x] += left[y] * right[x]
        cuda.syncthreads()

    write_patches(total, first, c, m, n)


@cuda.jit(device=True)
def write_patches(total, stage, c, m, n):
    """The block's tile of C, by way of `stage`: a (DEPTH, PITCH) array in shared memory."""
    row = uint64(cuda.threadIdx.y * 4)
    col = uint64(cuda.threadIdx.x * 4)
    row0 = cuda.blockIdx.y * BLOCK_TILE
    col0 = cuda.blockIdx.x * BLOCK_TILE
    thread = cuda.threadIdx.y * SIDE + cuda.threadIdx.x
    # DEPTH / 4 threads below one another hold DEPTH rows: as much as `stage` has room for.
    for piece in range(BLOCK_TILE // DEPTH):
        if cuda.threadIdx.y // (DEPTH // 4) == piece:
            for y in range(uint64(4)):
                for x in range(uint64(4)):
                    stage[row % uint64(DEPTH) + y, PAD + col + x] = total[y, x]
        cuda.syncthreads()
        write_rows(c, m, n, row0 + piece * DEPTH, col0, stage, DEPTH, BLOCK_TILE, thread, THREADS)
        cuda.syncthreads()
