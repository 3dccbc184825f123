# mutant: adds on the host | verdict: wrong
from numba import cuda

BLOCK = 256


@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


def vector_add(a, b, c, n):
    c[:] = a + b
