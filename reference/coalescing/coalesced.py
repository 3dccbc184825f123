"""Rung `coalesced`: thread k has float k.

The 32 threads of a warp touch 128 bytes in a row: four sectors, every byte of them wanted. What limits it now is how
many requests are on their way at once: each thread has a single load to wait for.
"""

from numba import cuda, float32


@cuda.jit
def increment(x, n):
    """Add one to each of n floats, one float a thread."""
    i = cuda.grid(1)
    if i < n:
        x[i] += float32(1.0)
