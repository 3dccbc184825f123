"""A loop that does not end."""

from numba import cuda


@cuda.jit
def vector_add(a, b, c, n):
    i = 0
    while i >= 0:
        c[0] = a[0]
        i = (i + 1) % 1000
