# mutant: row_min_global starts at 0, as a sum does | verdict: wrong | beside: shared, shared_padded
from numba import cuda


@cuda.jit
def row_min_global(a, out, rows, cols):
    r = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if r >= rows:
        return
    m = 0.0
    for c in range(cols):
        if a[r, c] < m:
            m = a[r, c]
    out[r] = m
