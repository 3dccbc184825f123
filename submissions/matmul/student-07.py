# 作业：矩阵乘法（Numba，共享存储器）
from numba import cuda, float32, int32, void

TPB = 16


@cuda.jit(device=True)
def load(x, r, c, rows, cols):
    # 越界返回 0
    if r < rows and c < cols:
        return x[r, c]
    return float32(0)


@cuda.jit(void(float32[:, ::1], float32[:, ::1], float32[:, ::1], int32, int32, int32))
def matmul(a, b, c, m, n, k):
    sA = cuda.shared.array(shape=(TPB, TPB), dtype=float32)
    sB = cuda.shared.array(shape=(TPB, TPB), dtype=float32)
    x, y = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y

    tmp = float32(0)
    for i in range((k + TPB - 1) // TPB):
        sA[ty, tx] = load(a, y, i * TPB + tx, m, k)
        sB[ty, tx] = load(b, i * TPB + ty, x, k, n)
        cuda.syncthreads()
        for j in range(TPB):
            tmp += sA[ty, j] * sB[j, tx]
        cuda.syncthreads()

    if y < m and x < n:
        c[y, x] = tmp
