# mutant: copies pageable memory in streams | verdict: accepted | diagnostic: slow copy | part: structure | loses: 25
from contextlib import ExitStack
from itertools import cycle

from numba import cuda

THREADS, CHUNKS, STREAMS = 256, 4, 2
device, streams, pins = {}, [], ExitStack()


@cuda.jit
def multiply_add(alpha, x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = alpha * x[i] + y[i]


def stream_saxpy_prepare(n, alpha, x, y):
    device.update(x=cuda.device_array_like(x), y=cuda.device_array_like(y))
    streams.extend(cuda.stream() for _ in range(STREAMS))


def stream_saxpy(n, alpha, x, y):
    chunk = (n + CHUNKS - 1) // CHUNKS
    for first, stream in zip(range(0, n, chunk), cycle(streams)):
        part = slice(first, min(first + chunk, n))
        device_x, device_y = device["x"][part], device["y"][part]
        device_x.copy_to_device(x[part], stream=stream)  # <- here
        device_y.copy_to_device(y[part], stream=stream)  # <- here
        blocks = (device_x.size + THREADS - 1) // THREADS
        multiply_add[blocks, THREADS, stream](alpha, device_x, device_y)
        device_y.copy_to_host(y[part], stream=stream)  # <- here
    for stream in streams:
        stream.synchronize()


def stream_saxpy_finish(n, alpha, x, y):
    device.clear()
    streams.clear()
    pins.close()
