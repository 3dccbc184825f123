"""Rung `pageable`: whole vectors from pageable memory.

The driver copies pageable memory through a buffer of its own, and the program waits. Device memory is allocated before
the function is called.
"""

from numba import cuda

THREADS = 256
device = {}


@cuda.jit
def multiply_add(alpha, x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = alpha * x[i] + y[i]


def stream_saxpy_prepare(n, alpha, x, y):
    device.update(x=cuda.device_array_like(x), y=cuda.device_array_like(y))


def stream_saxpy(n, alpha, x, y):
    device["x"].copy_to_device(x)
    device["y"].copy_to_device(y)
    multiply_add[(n + THREADS - 1) // THREADS, THREADS](alpha, device["x"], device["y"])
    device["y"].copy_to_host(y)


def stream_saxpy_finish(n, alpha, x, y):
    device.clear()
