"""A constant that takes for ever to compute, and one that fills the memory."""

from numba import cuda

A = 10 ** 10 ** 10
B = [[0] * 60_000] * 60_000
C = (B, B)
D = (C, C)


@cuda.jit
def vector_add(a, b, c, n):
    i = cuda.grid(1)
    if i < n:
        c[i] = a[i] + b[i] + A % 2 + len(D)
