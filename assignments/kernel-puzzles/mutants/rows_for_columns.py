# mutant: broadcast exchanges rows and columns | verdict: wrong | beside: windows, expert
from numba import cuda, float32


@cuda.jit
def broadcast(column, row, table, side):
    x, y = cuda.grid(2)
    if x < side and y < side:
        table[x, y] = column[y] + row[x]


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
def blocks(x, lifted, n):
    i = cuda.grid(1)
    if i < n:
        lifted[i] = x[i] + float32(10.0)
