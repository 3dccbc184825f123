"""Rung `global`: one atomic addition in global memory for each byte.

Neighbouring pixels are often equal, so the lanes of a warp often want the same counter, and wait for each other.
"""

from numba import cuda


@cuda.jit
def histogram(data, counts, n):
    i = cuda.grid(1)
    if i < n:
        cuda.atomic.add(counts, data[i], 1)
