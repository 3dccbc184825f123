"""Tiles of matrices in shared memory, for the products C = A·B and C = A·Aᵀ of any element type.

A block needs, for each step along k, a piece of either factor, both with k as the slow index: first[i, row] and
second[i, col]. The elements that one thread multiplies then lie side by side, and the compiler joins four loads
into one of 16 bytes.

Each tile is moved in two halves, `fetch` from global memory into `held`, which are registers, and `store` from
there into shared memory, so that a kernel may do something else in between. Zeros stand in for what lies outside a
matrix: they add nothing, and no thread has to leave before a barrier.

Indices are unsigned. A negative index counts from the end in Python, so a signed one is checked for its sign at
each access, and the compiler no longer sees which elements are neighbours.
"""

from numba import cuda, uint64

# How the second factor lies in memory: B[k][n] as it is, or a matrix [n][k] that counts as transposed.
AS_IS = False
TRANSPOSED = True

# The tiles' rows begin with four elements that are not used. What they do for the banks, four at the end would do
# as well. But the index of the first of four neighbours, a multiple of four, and those of the others would then
# differ in their lowest bits alone; the compiler turns such sums into bitwise operations and sees no neighbours.
PAD = uint64(4)

STRIP = uint64(8)  # one sector of 32 bytes is 8 elements


@cuda.jit(device=True)
def in_strips(element, width):
    """Where the element of this number lies in a tile that is read in strips of 8 columns: row, column.

    A warp reads 4 rows of 8 elements, one whole sector of each, and stores them as 8 rows of 4. The tiles' rows are
    four elements longer than they need be, so those lie in banks 4 * column + row: all different.
    """
    return element // STRIP % width, element // (STRIP * width) * STRIP + element % STRIP


@cuda.jit(device=True)
def fetch_transposed(held, matrix, rows, k, first_row, step, width, thread, threads):
    """Elements of a matrix with rows along k: A, or the second factor of A·Aᵀ."""
    for i in range(uint64(len(held))):
        row, col = in_strips(uint64(thread + i * threads), uint64(width))
        row += uint64(first_row)
        col += uint64(step)
        held[i] = 0
        if row < uint64(rows) and col < uint64(k):
            held[i] = matrix[row, col]


@cuda.jit(device=True)
def store_transposed(tile, held, width, thread, threads):
    """What `fetch_transposed` has fetched, with k as the slow index."""
    for i in range(uint64(len(held))):
        row, col = in_strips(uint64(thread + i * threads), uint64(width))
        tile[col, PAD + row] = held[i]


@cuda.jit(device=True)
def fetch_straight(held, matrix, n, k, first_col, step, width, thread, threads):
    """Elements of a matrix with rows along n: B."""
    for i in range(uint64(len(held))):
        element = uint64(thread + i * threads)
        row = uint64(step) + element // uint64(width)
        col = uint64(first_col) + element % uint64(width)
        held[i] = 0
        if row < uint64(k) and col < uint64(n):
            held[i] = matrix[row, col]


@cuda.jit(device=True)
def store_straight(tile, held, width, thread, threads):
    """What `fetch_straight` has fetched, in its own order."""
    for i in range(uint64(len(held))):
        element = uint64(thread + i * threads)
        tile[element // uint64(width), PAD + element % uint64(width)] = held[i]


@cuda.jit(device=True)
def write_rows(c, m, n, first_row, first_col, tile, rows, width, thread, threads):
    """A piece of C out of shared memory, row by row: `rows` x `width` elements.

    The patches that threads hold are narrow, so what a warp would write at once lies far apart. By way of shared
    memory neighbouring threads write neighbouring elements.
    """
    for i in range(uint64(rows * width // threads)):
        element = uint64(thread + i * threads)
        row = element // uint64(width)
        col = element % uint64(width)
        if uint64(first_row) + row < uint64(m) and uint64(first_col) + col < uint64(n):
            c[uint64(first_row) + row, uint64(first_col) + col] = tile[row, PAD + col]
