"""Rung `misaligned`: neighbouring threads on neighbouring floats, but every warp begins one float too late.

The 128 bytes of a warp's request begin 4 bytes into a sector and so touch five sectors instead of four. On the G80 such
a request fell apart into one transaction for each thread; today it costs that one sector more, and what is left of it
for the next warp is still in the cache.
"""

from numba import cuda, float32


@cuda.jit
def increment(x, n):
    """Add one to each of n floats, shifted by one float."""
    thread = cuda.grid(1)
    if thread < n:
        # Thread 0 has element 1, and so on; the last one has what is left, element 0.
        i = thread + 1 if thread + 1 < n else 0
        x[i] += float32(1.0)
