# mutant: the first stream does not wait for the sums of the second one | verdict: wrong | diagnostic: race of two streams
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
        reduce[parts(left), PART // 2, stream](x[:left], sums)  # <- here
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
    numbers, partial = device["numbers"], device["partial"]
    chunk = (
        (parts(n) + CHUNKS - 1) // CHUNKS * PART
    )  # whole parts, so that its sums follow those of the chunk before
    for first, stream in zip(range(0, n, chunk), cycle(streams)):
        part = slice(first, min(first + chunk, n))
        numbers[part].copy_to_device(x[part], stream=stream)
        reduce[parts(part.stop - first), PART // 2, stream](numbers[part], partial[first // PART :])
    device["second_is_done"].record(streams[1])
    result = reduce_all(partial, numbers, parts(n), streams[0])
    result[:1].copy_to_host(total, stream=streams[0])
    streams[0].synchronize()


def reduce_sum_finish(x, n, total):
    device.clear()
    streams.clear()
    pins.close()
