# 每行求和：全局存储器 / 共享存储器 / 带填充的共享存储器
from numba import cuda, float32

T = 32
T1 = 33


@cuda.jit
def row_sum_global(a, out, rows, cols):
    r = cuda.grid(1)
    if r < rows:
        s = float32(0)
        for c in range(cols):
            s += a[r, c]
        out[r] = s


@cuda.jit
def row_sum_shared(a, out, rows, cols):
    tile = cuda.shared.array((T, T), float32)
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    r0 = cuda.blockIdx.x * T
    s = float32(0)
    for c0 in range(0, cols, T):
        for i in range(y, T, 8):
            if r0 + i < rows and c0 + x < cols:
                tile[i, x] = a[r0 + i, c0 + x]
            else:
                tile[i, x] = float32(0)   # 越界补零
        cuda.syncthreads()
        if y == 0:
            for i in range(T):
                s += tile[x, i]
        cuda.syncthreads()
    if y == 0 and r0 + x < rows:
        out[r0 + x] = s


@cuda.jit
def row_sum_shared_padded(a, out, rows, cols):
    tile = cuda.shared.array((T, T1), float32)
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    r0 = cuda.blockIdx.x * T
    s = float32(0)
    for c0 in range(0, cols, T):
        for i in range(y, T, 8):
            if r0 + i < rows and c0 + x < cols:
                tile[i, x] = a[r0 + i, c0 + x]
            else:
                tile[i, x] = float32(0)
        cuda.syncthreads()
        if y == 0:
            for i in range(T):
                s += tile[x, i]
        cuda.syncthreads()
    if y == 0 and r0 + x < rows:
        out[r0 + x] = s
