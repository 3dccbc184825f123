# mutant: adds up on the host | verdict: wrong
from contextlib import ExitStack
from itertools import cycle

from numba import cuda

PART, CHUNKS, STREAMS = 1024, 4, 2  # a part is what one block adds, with half as many threads
device, streams, pins = {}, [], ExitStack()


@cuda.jit
def reduce(x, sums):
    left = cuda.blockIdx.x * PART + cuda.threadIdx.x
    half = PART // 2
    while half > 0:
        if cuda.threadIdx.x < half and left + half < x.size:
            x[left] += x[left + half]
        cuda.syncthreads()
        half //= 2
    if cuda.threadIdx.x == 0:
        sums[cuda.blockIdx.x] = x[left]


def parts(n):
    return (n + PART - 1) // PART


def reduce_all(x, sums, left, stream):
    """Reduces `left` elements of x to the first one of what it returns; the two arrays take turns."""
    while True:
        reduce[parts(left), PART // 2, stream](x[:left], sums)
        left = parts(left)
        x, sums = sums, x
        if left == 1:
            return x


def reduce_sum_prepare(x, n, total):
    pins.enter_context(cuda.pinned(x, total))
    device.update(numbers=cuda.device_array_like(x), partial=cuda.device_array(parts(n) + CHUNKS, x.dtype))
    streams.extend(cuda.stream() for _ in range(STREAMS))
    device["second_is_done"] = cuda.event(timing=False)


def reduce_sum(x, n, total):
    total[0] = x.sum(dtype="float64")


def reduce_sum_finish(x, n, total):
    device.clear()
    streams.clear()
    pins.close()
