"""Rung `expert`: four elements per thread, a block's width apart.

Numba has no loads of 16 bytes from an array of float32, so a thread takes four elements that its neighbours' elements
surround: each of its eight loads is coalesced, and all eight are on their way before the first sum is needed.
"""

from numba import cuda

PER_THREAD = 4


# launch: vector_add block=256 grid=ceil(n/1024)
@cuda.jit
def vector_add(a, b, c, n):
    """Sum of two vectors, four elements per thread."""
    width = cuda.blockDim.x
    first = cuda.blockIdx.x * width * PER_THREAD + cuda.threadIdx.x
    if first + 3 * width < n:
        x0 = a[first] + b[first]
        x1 = a[first + width] + b[first + width]
        x2 = a[first + 2 * width] + b[first + 2 * width]
        x3 = a[first + 3 * width] + b[first + 3 * width]
        c[first] = x0
        c[first + width] = x1
        c[first + 2 * width] = x2
        c[first + 3 * width] = x3
    else:
        for i in range(first, n, width):
            c[i] = a[i] + b[i]
