"""Thirteen small kernels. One that is missing costs its own points only."""

from numba import cuda


@cuda.jit
def map_ten(a, mapped):
    # mapped = a + 10 for each of few elements. Launched with one block of exactly few threads.
    pass


@cuda.jit
def zip_add(a, b, zipped):
    # zipped = a + b for each of few elements. Launched with one block of exactly few threads.
    pass


@cuda.jit
def guard(a, guarded, few):
    # guarded = 10 * a for each of few elements. Launched with one block of 64 threads: few is at most 64.
    pass


@cuda.jit
def map_2d(square, shifted, side):
    # shifted = square + 10 for side x side elements. Launched with one block of 16 x 16 threads: side is at most 16.
    pass


@cuda.jit
def broadcast(column, row, table, side):
    # table[i][j] = column[i] + row[j]. Launched with one block of 16 x 16 threads: side is at most 16.
    pass


@cuda.jit
def blocks(x, lifted, n):
    # lifted = x + 10 for each of n elements. Launched with blocks of 32 threads, one for each element.
    pass


@cuda.jit
def reverse_segments(x, backwards, n):
    # Reverse each segment of 256 elements; the last may be shorter. Launched with a block of 256 threads for each.
    pass


@cuda.jit
def pool(x, pooled, n):
    # pooled[i] = x[i] + x[i - 1] + x[i - 2], as far as they exist. Launched with blocks of 256 threads.
    pass


@cuda.jit
def dot(x, y, products, n):
    # products[s] = sum of x * y over segment s of 256 elements. Launched with a block of 256 threads for each segment.
    pass


@cuda.jit
def convolve(x, weights, convolved, n, taps):
    # convolved[i] = sum of weights[k] * x[i + k], as far as x goes. taps is at most 8. Blocks of 256 threads.
    pass


@cuda.jit
def prefix_sum(x, sums, n):
    # sums[i] = sum of the segment of 256 elements up to and with x[i]. A block of 256 threads for each segment.
    pass


@cuda.jit
def axis_sum(left, row_sums, rows, inner):
    # row_sums[r] = sum of row r of left. Launched with a block of 128 threads for each row.
    pass


@cuda.jit
def matmul(left, right, product, rows, inner, cols):
    # product = left * right. Launched with blocks of 16 x 16 threads, one thread for each element of product.
    pass
