"""Rung `global`: each part in the plainest way, without shared memory.

One thread adds up a segment, a row, or the products of one element.
"""

# launch: dot block=64 grid=ceil(n/16384)
# launch: prefix_sum block=64 grid=ceil(n/16384)
# launch: axis_sum block=64 grid=ceil(rows/64)

from numba import cuda, float32

SEGMENT = 256
WINDOW = 3


@cuda.jit
def map_ten(a, mapped):
    i = cuda.threadIdx.x
    mapped[i] = a[i] + float32(10.0)


@cuda.jit
def zip_add(a, b, zipped):
    i = cuda.threadIdx.x
    zipped[i] = a[i] + b[i]


@cuda.jit
def guard(a, guarded, few):
    i = cuda.threadIdx.x
    if i < few:
        guarded[i] = a[i] * float32(10.0)


@cuda.jit
def map_2d(square, shifted, side):
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    if y < side and x < side:
        shifted[y, x] = square[y, x] + float32(10.0)


@cuda.jit
def broadcast(column, row, table, side):
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    if y < side and x < side:
        table[y, x] = column[y] + row[x]


@cuda.jit
def blocks(x, lifted, n):
    i = cuda.grid(1)
    if i < n:
        lifted[i] = x[i] + float32(10.0)


@cuda.jit
def reverse_segments(x, backwards, n):
    i = cuda.grid(1)
    first = i // SEGMENT * SEGMENT
    last = min(n, first + SEGMENT) - 1
    if i < n:
        backwards[i] = x[first + last - i]


@cuda.jit
def pool(x, pooled, n):
    i = cuda.grid(1)
    if i < n:
        total = x[i]
        for back in range(1, min(i + 1, WINDOW)):
            total += x[i - back]
        pooled[i] = total


@cuda.jit
def convolve(x, weights, convolved, n, taps):
    i = cuda.grid(1)
    if i < n:
        total = float32(0.0)
        for k in range(min(taps, n - i)):
            total += weights[k] * x[i + k]
        convolved[i] = total


@cuda.jit
def dot(x, y, products, n):
    segment = cuda.grid(1)
    first = segment * SEGMENT
    if first < n:
        total = float32(0.0)
        for i in range(first, min(n, first + SEGMENT)):
            total += x[i] * y[i]
        products[segment] = total


@cuda.jit
def prefix_sum(x, sums, n):
    first = cuda.grid(1) * SEGMENT
    total = float32(0.0)
    for i in range(first, min(n, first + SEGMENT)):
        total += x[i]
        sums[i] = total


@cuda.jit
def axis_sum(left, row_sums, rows, inner):
    row = cuda.grid(1)
    if row < rows:
        total = float32(0.0)
        for i in range(inner):
            total += left[row, i]
        row_sums[row] = total


@cuda.jit
def matmul(left, right, product, rows, inner, cols):
    col, row = cuda.grid(2)
    if row < rows and col < cols:
        total = float32(0.0)
        for k in range(inner):
            total += left[row, k] * right[k, col]
        product[row, col] = total
