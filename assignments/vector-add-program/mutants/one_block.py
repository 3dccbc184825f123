# mutant: launches one block, whatever n is | verdict: wrong
from numba import cuda

BLOCK = 256


@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


def vector_add(a, b, c, n):
    device_a = cuda.to_device(a)
    device_b = cuda.to_device(b)
    device_c = cuda.device_array(n, c.dtype)
    add[1, BLOCK](device_a, device_b, device_c)
    device_c.copy_to_host(c)
