"""Rung `in_pieces`: 2048 elements at a time.

The answer is right, and each piece pays for three allocations, three copies and a launch. On the timeline they stand in
a row, and most of their time is the start of each.
"""

from numba import cuda

BLOCK, PIECE = 256, 2048


@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


def vector_add(a, b, c, n):
    for first in range(0, n, PIECE):
        last = min(first + PIECE, n)
        device_a = cuda.to_device(a[first:last])
        device_b = cuda.to_device(b[first:last])
        device_c = cuda.device_array(last - first, c.dtype)
        add[(last - first + BLOCK - 1) // BLOCK, BLOCK](device_a, device_b, device_c)
        device_c.copy_to_host(c[first:last])
