# mutant: the sum goes back into a | verdict: wrong | diagnostic: write to read-only memory
from numba import cuda


@cuda.jit
def vector_add(a, b, c, n):
    i = cuda.grid(1)
    if i < n:
        a[i] += b[i]  # <- here
