# mutant: as many blocks as are full, so that the rest is left out | verdict: wrong
from numba import cuda


# launch: vector_add block=128 grid=max(n//128,1)
@cuda.jit
def vector_add(a, b, c, n):
    i = cuda.grid(1)
    if i < n:
        c[i] = a[i] + b[i]
