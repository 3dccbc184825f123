"""Rung `permuted`: each warp has 32 neighbouring floats, aligned, but its threads have them in a shuffled order.

A request of a warp is made up of the sectors that it touches, whichever lane asks for which word: four, as in order.
On the G80 the threads had to be in order, or each had a transaction of its own.
"""

from numba import cuda, float32


@cuda.jit
def increment(x, n):
    """Add one to each of n floats, shuffled within warps."""
    thread = cuda.grid(1)
    warp = thread & ~31
    # 5 is odd, so 32 threads get 32 different elements of their warp's.
    i = warp + (5 * thread & 31)
    # The guard is on the element: a thread beyond n may well have one below it.
    if i < n:
        x[i] += float32(1.0)
