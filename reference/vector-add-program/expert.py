"""Rung `expert`: one allocation holds all three vectors, and is made before the function is called.

An allocation takes the driver longer than the kernel takes for thousands of elements, and a slice of a device array
takes Python as long. The parts start at multiples of 256 bytes, as separate allocations would.
"""

from numba import cuda

BLOCK, ALIGNMENT = 256, 64
parts = []


@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


def vector_add_prepare(a, b, c, n):
    part = (n + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT
    device = cuda.device_array(3 * part, c.dtype)
    parts.extend(device[first : first + n] for first in (0, part, 2 * part))


def vector_add(a, b, c, n):
    device_a, device_b, device_c = parts
    device_a.copy_to_device(a)
    device_b.copy_to_device(b)
    add[(n + BLOCK - 1) // BLOCK, BLOCK](device_a, device_b, device_c)
    device_c.copy_to_host(c)


def vector_add_finish(a, b, c, n):
    parts.clear()
