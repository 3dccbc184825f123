"""A radix sort.

For shift = 0, 4, ... 28 the lab zeroes counts and launches the three kernels below. The y of one round is the x of the
next.
"""

from numba import cuda


@cuda.jit
def count_digits(x, counts, shift, n):
    # counts[d * blocks + s] is how many keys of segment s (1024 keys) have digit d, where blocks = ceil(n / 1024).
    pass


@cuda.jit
def scan_counts(counts, n):
    # Replace each of the 16 * blocks counts by the sum of all before it, in one block of 1024 threads.
    pass


@cuda.jit
def scatter(x, counts, y, shift, n):
    # counts[d * blocks + s] now is where the first key of segment s with digit d goes; the others
    # follow in their order.
    pass
