"""The sum of n values, once in int32 and once in float32.

A launch leaves one value per block: the sum of that block's share. It is launched again on those values, until there
is only one. Launched with blocks of 256 threads, one thread per value, unless you write a launch line.
"""

from numba import cuda


@cuda.jit
def reduce_int32(a, a_sums, work, n):
    # Which value is this thread's? Is there such a value at all?
    # Add up the block's share in a tree; a_sums[cuda.blockIdx.x] is the block's sum. Do not use atomic additions.
    pass


@cuda.jit
def reduce_float32(x, x_sums, work, n):
    # The same in float32. A device function may spare you writing it twice.
    pass
