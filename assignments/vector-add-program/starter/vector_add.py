"""c[i] = a[i] + b[i] for every i from 0 to n - 1. The three arrays are in host memory.

An exception says that a call failed. Numba raises one by itself.
"""

from numba import cuda


@cuda.jit
def add(a, b, c):
    # Which element is this thread's? Does it exist?
    pass


def vector_add(a, b, c, n):
    # 1. Copy a and b to the device, and make room for c there.
    # 2. Launch the kernel.
    # 3. Copy the sums back, into the array c that is there already.
    pass
