"""Two copies of n floats. Launched with blocks of 256 threads, one thread per element.

Get every offset, stride and n right first; then draw the curves with `grader sweep` and explain their shape.
"""

from numba import cuda


@cuda.jit
def copy_offset(x, shifted, n, offset):
    # shifted[i] = x[i + offset] for 0 <= i < n
    #
    # Which element is this thread's? Is there such an element at all?
    pass


@cuda.jit
def copy_stride(x, gathered, n, stride):
    # gathered[i] = x[i * stride] for 0 <= i < n
    pass
