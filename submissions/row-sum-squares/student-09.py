from numba import cuda, float32

SIZE = 1000


@cuda.jit
def row_sum_squares_global(a, out, rows, cols):
    i = cuda.grid(1)
    if i < rows:
        s = float32(0)
        for j in range(rows):  # Size x Size
            s += a[i, j] ** 2
        out[i] = s


@cuda.jit
def row_sum_squares_shared(a, out, rows, cols):
    t = cuda.shared.array((32, 32), float32)
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    i0 = cuda.blockIdx.x * 32
    s = float32(0)
    for j0 in range(0, cols, 32):
        for i in range(y, 32, 8):
            if i0 + i < rows and j0 + x < cols:
                t[i, x] = a[i0 + i, j0 + x]
            else:
                t[i, x] = 0
        cuda.syncthreads()
        if y == 0:
            for j in range(32):
                s += t[x, j] ** 2
        cuda.syncthreads()
    if y == 0 and i0 + x < rows:
        out[i0 + x] = s


@cuda.jit
def row_sum_squares_shared_padded(a, out, rows, cols):
    t = cuda.shared.array((32, 33), float32)
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    i0 = cuda.blockIdx.x * 32
    s = float32(0)
    for j0 in range(0, cols, 32):
        for i in range(y, 32, 8):
            if i0 + i < rows and j0 + x < cols:
                t[i, x] = a[i0 + i, j0 + x]
            else:
                t[i, x] = 0
        cuda.syncthreads()
        if y == 0:
            for j in range(32):
                s += t[x, j] ** 2
        cuda.syncthreads()
    if y == 0 and i0 + x < rows:
        out[i0 + x] = s
