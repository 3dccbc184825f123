"""Fills the disk."""

import os

from numba import cuda

_number = 0
while True:
    with open(f"{os.environ['TMPDIR']}/{_number}", "wb") as _file:
        _file.write(bytes(2**22))
    _number += 1
    if _number > 128:
        raise RuntimeError("seen: half a gigabyte")


@cuda.jit
def vector_add(a, b, c, n):
    i = cuda.grid(1)
    if i < n:
        c[i] = a[i] + b[i]
