# mutant: row_min_shared is the function without shared memory once more | verdict: accepted | part: technique | beside: global, shared_padded
from numba import cuda


@cuda.jit
def row_min_shared(a, out, rows, cols):
    r = cuda.blockIdx.x * 32 + cuda.threadIdx.x
    if cuda.threadIdx.y == 0 and r < rows:
        m = a[r, 0]
        for c in range(1, cols):
            m = min(m, a[r, c])
        out[r] = m
