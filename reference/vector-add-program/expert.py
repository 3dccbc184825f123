"""Rung `expert`: one allocation holds all three vectors.

An allocation takes the driver longer than the kernel takes for thousands of elements. The parts start at multiples of
256 bytes, as separate allocations would.
"""

from numba import cuda

BLOCK, ALIGNMENT = 256, 64


@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


def vector_add(a, b, c, n):
    part = (n + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT
    device = cuda.device_array(3 * part, c.dtype)
    device_a, device_b, device_c = (device[first : first + n] for first in (0, part, 2 * part))
    device_a.copy_to_device(a)
    device_b.copy_to_device(b)
    add[(n + BLOCK - 1) // BLOCK, BLOCK](device_a, device_b, device_c)
    device_c.copy_to_host(c)
