"""c[i] = a[i] + b[i] for every i from 0 to n - 1."""

from numba import cuda


@cuda.jit
def vector_add(a, b, c, n):
    # Launched with blocks of 256 threads, as many as cover n elements: the last block may have threads to spare.
    # Which element is this thread's? Does it exist?
    pass
