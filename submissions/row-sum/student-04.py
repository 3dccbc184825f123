from numba import cuda, float32


@cuda.jit
def row_sum_global(a, out, rows, cols):
    i = cuda.grid(1)
    if i < rows:
        s = float32(0)
        for j in range(cols):
            s += a[i, j]
        out[i] = s


@cuda.jit
def row_sum_shared(a, out, rows, cols):
    t = cuda.shared.array((32, 32), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    r0 = cuda.blockIdx.x * 32
    s = float32(0)
    for j in range(cols // 32):
        for i in range(ty, 32, 8):
            if r0 + i < rows:
                t[i, tx] = a[r0 + i, j * 32 + tx]
        cuda.syncthreads()
        if ty == 0 and r0 + tx < rows:
            for i in range(32):
                s += t[tx, i]
        cuda.syncthreads()
    if ty == 0 and r0 + tx < rows:
        out[r0 + tx] = s


@cuda.jit
def row_sum_shared_padded(a, out, rows, cols):
    t = cuda.shared.array((32, 33), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    r0 = cuda.blockIdx.x * 32
    s = float32(0)
    for j in range(cols // 32):
        for i in range(ty, 32, 8):
            if r0 + i < rows:
                t[i, tx] = a[r0 + i, j * 32 + tx]
        cuda.syncthreads()
        if ty == 0 and r0 + tx < rows:
            for i in range(32):
                s += t[tx, i]
        cuda.syncthreads()
    if ty == 0 and r0 + tx < rows:
        out[r0 + tx] = s
