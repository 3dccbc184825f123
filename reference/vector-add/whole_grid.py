"""Rung `whole_grid`: one thread for each element, as many blocks as that takes.

`cuda.grid(1)` counts the threads of all blocks before this one, then those of this one. The last block may reach beyond
the end, hence the test. All multiprocessors take part, and there are always warps that can run while others wait for
memory. Two loads and a store for one addition: memory is the limit, and how many bytes are on their way at once.
"""

from numba import cuda


@cuda.jit
def vector_add(a, b, c, n):
    """Sum of two vectors, one thread per element."""
    i = cuda.grid(1)
    if i < n:
        c[i] = a[i] + b[i]
