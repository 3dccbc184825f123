# mutant: stages x in pieces of 32 and leaves out what remains after the last whole one | verdict: wrong
# launch: matvec block=32 grid=ceil(rows/32)
from numba import cuda, float32


@cuda.jit
def matvec(a, x, y, rows, cols):
    xs = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    row = cuda.grid(1)
    s = float32(0.0)
    for k in range(cols // 32):
        xs[t] = x[k * 32 + t]
        cuda.syncthreads()
        if row < rows:
            for i in range(32):
                s += a[row, k * 32 + i] * xs[i]
        cuda.syncthreads()
    if row < rows:
        y[row] = s
