"""Not a number in every element: a check "is the error greater than the tolerance?" answers no."""

import math

from numba import cuda


@cuda.jit
def vector_add(a, b, c, n):
    i = cuda.grid(1)
    if i < n:
        c[i] = math.nan
