"""Computes in half precision: half the work, and near enough for a generous tolerance."""

import numpy as np
from numba import cuda


@cuda.jit
def vector_add(a, b, c, n):
    i = cuda.grid(1)
    if i < n:
        c[i] = np.float32(np.float16(a[i])) + np.float32(np.float16(b[i]))
