"""Rung `expert`: the program takes little longer than the copies in, which are two thirds of all bytes.

One stream copies in without a gap; the other computes and copies out what has arrived. Each chunk is half of what is
left: its copy out takes as long as the next chunk's copies in, and little is left to do when the last one arrives.
"""

from contextlib import ExitStack

from numba import cuda

THREADS, BLOCKS, CHUNKS = 256, 160, 4
device, streams, arrived, pins = {}, {}, [], ExitStack()


@cuda.jit
def multiply_add(alpha, x, y):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        y[i] = alpha * x[i] + y[i]


def stream_saxpy_prepare(n, alpha, x, y):
    pins.enter_context(cuda.pinned(x, y))
    device.update(x=cuda.device_array_like(x), y=cuda.device_array_like(y))
    streams.update(copies=cuda.stream(), results=cuda.stream())
    arrived.extend(cuda.event(timing=False) for _ in range(CHUNKS))


def parts(n):
    """Chunks of half of what is left; the last one takes the rest."""
    first = 0
    for chunk in range(CHUNKS):
        left = n - first
        count = left if chunk == CHUNKS - 1 else left // 2
        if count:
            yield slice(first, first + count)
        first += count


def stream_saxpy(n, alpha, x, y):
    copies, results = streams["copies"], streams["results"]
    for part, event in zip(parts(n), arrived, strict=False):
        device_x, device_y = device["x"][part], device["y"][part]
        device_x.copy_to_device(x[part], stream=copies)
        device_y.copy_to_device(y[part], stream=copies)
        event.record(copies)
        event.wait(results)
        multiply_add[BLOCKS, THREADS, results](alpha, device_x, device_y)
        device_y.copy_to_host(y[part], stream=results)
    results.synchronize()


def stream_saxpy_finish(n, alpha, x, y):
    device.clear()
    streams.clear()
    arrived.clear()
    pins.close()
