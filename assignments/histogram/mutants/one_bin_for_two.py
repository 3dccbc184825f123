# mutant: counts in 128 bins, two values in each | verdict: wrong
from numba import cuda


@cuda.jit
def histogram(data, counts, n):
    i = cuda.grid(1)
    if i < n:
        cuda.atomic.add(counts, data[i] // 2, 1)
