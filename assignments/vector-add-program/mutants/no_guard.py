# mutant: the threads beyond the end add as well | verdict: crashed | diagnostic: out of bounds
from numba import cuda

BLOCK = 256


@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    c[i] = a[i] + b[i]  # <- here


def vector_add(a, b, c, n):
    device_a = cuda.to_device(a)
    device_b = cuda.to_device(b)
    device_c = cuda.device_array(n, c.dtype)
    add[(n + BLOCK - 1) // BLOCK, BLOCK](device_a, device_b, device_c)
    device_c.copy_to_host(c)
