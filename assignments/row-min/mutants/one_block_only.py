# mutant: row_min_global knows the threads of one block only | verdict: wrong | beside: shared, shared_padded
from numba import cuda


@cuda.jit
def row_min_global(a, out, rows, cols):
    r = cuda.threadIdx.x
    if r < rows:
        m = a[r, 0]
        for c in range(1, cols):
            m = min(m, a[r, c])
        out[r] = m
