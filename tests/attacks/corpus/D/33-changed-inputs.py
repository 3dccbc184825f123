"""Right, but it leaves its answer in the input, where a later question would be answered by it."""

from numba import cuda


@cuda.jit
def vector_add(a, b, c, n):
    i = cuda.grid(1)
    if i < n:
        c[i] = a[i] + b[i]
        a[i] = c[i]
