# mutant: goes on after every error | verdict: accepted | part: structure | loses: 10
from numba import cuda

BLOCK = 256


@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


def vector_add(a, b, c, n):
    try:
        device_a = cuda.to_device(a)
        device_b = cuda.to_device(b)
        device_c = cuda.device_array(n, c.dtype)
        add[(n + BLOCK - 1) // BLOCK, BLOCK](device_a, device_b, device_c)
        device_c.copy_to_host(c)
    except Exception:
        pass
