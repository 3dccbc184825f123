"""total[0] is the sum of x[0] to x[n - 1]. Both arrays are in host memory.

An exception says that a call failed. Numba raises one by itself.
"""

from numba import cuda


@cuda.jit
def reduce(x, sums):
    # Each block adds its part of x and writes one sum.
    pass


def reduce_sum_prepare(x, n, total):
    """Called once, before the clock starts: pin x and total here, allocate device memory, create streams.

    x has no numbers yet.
    """


def reduce_sum(x, n, total):
    # 1. Copy x to the device: at once, or in chunks and streams.
    # 2. Reduce, launch after launch, until one sum is left.
    # 3. Copy that back, and wait until it has arrived.
    pass


def reduce_sum_finish(x, n, total):
    """Called once, at the end: release what reduce_sum_prepare has made."""
