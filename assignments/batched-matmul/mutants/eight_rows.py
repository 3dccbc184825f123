# mutant: each thread computes one row only, so those behind the eighth are missing | verdict: wrong
# launch: batched_matmul block=32,8 grid=batch
from numba import cuda, float32


@cuda.jit
def batched_matmul(a, b, c, batch, n):
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    m = cuda.blockIdx.x
    if x < n and y < n:
        total = float32(0.0)
        for k in range(n):
            total += a[m, y, k] * b[m, k, x]
        c[m, y, x] = total
