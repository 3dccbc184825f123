"""Rung `global`: the lecture's kernels, one element per thread.

With an offset a warp's 128 bytes begin anywhere in a sector and touch five sectors instead of four, and what it leaves
of the fifth is in the cache when the next warp asks. With a stride of s, its 32 floats lie in 4 * s sectors, up to one
sector each from a stride of 8 on: seven eighths of what memory delivers is thrown away.
"""

from numba import cuda


@cuda.jit
def copy_offset(x, shifted, n, offset):
    """shifted[i] = x[i + offset]."""
    i = cuda.grid(1)
    if i < n:
        shifted[i] = x[i + offset]


@cuda.jit
def copy_stride(x, gathered, n, stride):
    """gathered[i] = x[i * stride]."""
    i = cuda.grid(1)
    if i < n:
        gathered[i] = x[i * stride]
