"""An error with a hundred megabytes of words, and as many on both streams."""

import sys

from numba import cuda

for _stream in (sys.stdout, sys.stderr):
    for _ in range(100):
        _stream.write("x" * 2**20)
raise RuntimeError("y" * 100 * 2**20)


@cuda.jit
def vector_add(a, b, c, n):
    i = cuda.grid(1)
    if i < n:
        c[i] = a[i] + b[i]
