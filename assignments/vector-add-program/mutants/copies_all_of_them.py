# mutant: leaves the copies to the launch, which copies every vector there and back | verdict: accepted | part: structure | loses: 10
from numba import cuda

BLOCK = 256


@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


def vector_add(a, b, c, n):
    add[(n + BLOCK - 1) // BLOCK, BLOCK](a, b, c)
