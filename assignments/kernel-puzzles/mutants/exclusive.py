# mutant: prefix_sum leaves out the element itself | verdict: wrong | beside: maps, windows
# launch: dot block=64 grid=ceil(n/16384)
# launch: prefix_sum block=64 grid=ceil(n/16384)
# launch: axis_sum block=64 grid=ceil(rows/64)
from numba import cuda, float32


@cuda.jit
def prefix_sum(x, sums, n):
    first = cuda.grid(1) * 256
    total = float32(0.0)
    for i in range(first, min(n, first + 256)):
        sums[i] = total
        total += x[i]


@cuda.jit
def dot(x, y, products, n):
    segment = cuda.grid(1)
    first = segment * 256
    if first < n:
        total = float32(0.0)
        for i in range(first, min(n, first + 256)):
            total += x[i] * y[i]
        products[segment] = total


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
