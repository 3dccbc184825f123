"""A wrong kernel beside files with the names of the libraries that compile and compare."""

from numba import cuda


@cuda.jit
def vector_add(a, b, c, n):
    i = cuda.grid(1)
    if i < n:
        c[i] = a[i]

