"""counts[v] = how many of the n bytes of data have the value v; counts is zero at the start."""

from numba import cuda


@cuda.jit
def histogram(data, counts, n):
    # Launched with blocks of 256 threads, one for each byte.
    pass
