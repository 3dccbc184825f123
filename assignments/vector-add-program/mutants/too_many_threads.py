# mutant: blocks of 2048 threads | verdict: crashed | diagnostic: invalid launch
from numba import cuda

BLOCK = 2048


@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


def vector_add(a, b, c, n):
    device_a = cuda.to_device(a)
    device_b = cuda.to_device(b)
    device_c = cuda.device_array(n, c.dtype)
    add[(n + BLOCK - 1) // BLOCK, BLOCK](device_a, device_b, device_c)  # <- here
    device_c.copy_to_host(c)
