# mutant: adds on the host, beside a kernel that does nothing of it | verdict: accepted | part: structure | loses: 10
from numba import cuda

BLOCK = 256


@cuda.jit
def nothing():
    pass


def vector_add(a, b, c, n):
    nothing[1, BLOCK]()
    cuda.synchronize()
    c[:] = a + b
