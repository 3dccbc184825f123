"""out = the elements of x above threshold, side by side from out[0] on, in any order; count[0] = how many they are."""

from numba import cuda


@cuda.jit
def compact(x, out, count, threshold, n):
    # Launched with blocks of 256 threads, one for each element. count[0] is zero at the start.
    pass
