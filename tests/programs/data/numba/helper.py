# A module beside the program.
from numba import cuda


@cuda.jit(device=True)
def scaled(x, k):
    return x * k
