"""x·y of two vectors of n elements in float32. Three functions.

A launch leaves one value per block: the sum of the products of its share. It is launched again on those values, with
ones in place of y, until there is only one. Blocks of 64 threads, one block for every 2048 elements, unless you write a
launch line. Begin with dot_product_global, and get every size right first. No atomic additions.
"""

from numba import cuda


@cuda.jit
def dot_product_global(x, y, out, work, n):
    # Which 32 products are this thread's? Are there so many at all? Add them up; then add up the block's sums in work,
    # and let one thread write out[cuda.blockIdx.x].
    pass


@cuda.jit
def dot_product_shared(x, y, out, work, n):
    # Load neighbours with neighbouring threads, put the products into shared memory, wait for the block, add up.
    pass


@cuda.jit
def dot_product_shared_padded(x, y, out, work, n):
    # The same, with an array in which no two threads of a warp meet in a bank.
    pass
