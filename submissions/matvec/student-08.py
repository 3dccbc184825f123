# 矩阵乘向量：每个线程一行，x 放进共享存储器
from numba import cuda, float32


@cuda.jit
def matvec(a, x, y, rows, cols):
    xs = cuda.shared.array(256, float32)
    r = cuda.grid(1)
    t = cuda.threadIdx.x
    s = float32(0)
    for k in range(0, cols, 256):
        if k + t < cols:
            xs[t] = x[k + t]
        cuda.syncthreads()
        if r < rows:
            for i in range(min(256, cols - k)):
                s += a[r, k + i] * xs[i]
        cuda.syncthreads()
    if r < rows:
        y[r] = s
