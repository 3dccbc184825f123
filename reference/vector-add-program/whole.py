"""Rung `whole`: copy in, launch, copy back, once each.

`to_device` allocates and copies, and `copy_to_host` waits for the kernel. Numba raises an exception where a call fails,
and releases an array when its last name is gone.
"""

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
    add[(n + BLOCK - 1) // BLOCK, BLOCK](device_a, device_b, device_c)
    device_c.copy_to_host(c)
