# mutant: row_max_shared_padded is submitted without its padding | verdict: accepted | diagnostic: bank conflict | part: technique | beside: global, shared
import math

from numba import cuda, float32


@cuda.jit
def row_max_shared_padded(a, out, rows, cols):
    t = cuda.shared.array((32, 32), float32)
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    r0 = cuda.blockIdx.x * 32
    best = float32(-math.inf)
    for c0 in range(0, cols, 32):
        for i in range(y, 32, 8):
            if r0 + i < rows and c0 + x < cols:
                t[i, x] = a[r0 + i, c0 + x]
            else:
                t[i, x] = float32(-math.inf)
        cuda.syncthreads()
        for i in range(y, 32, 8):
            best = max(best, t[x, i])  # <- here
        cuda.syncthreads()
    t[y, x] = best
    cuda.syncthreads()
    if y == 0 and r0 + x < rows:
        for i in range(1, 8):
            best = max(best, t[i, x])
        out[r0 + x] = best
