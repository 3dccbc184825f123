"""Rung `pageable`: step 0 of the lecture. One copy from pageable memory, and neighbours are added first.

In each step the active threads read and write elements with wide gaps between them: two, four, eight elements apart.
"""

from numba import cuda

PART = 1024  # elements of a block, which has half as many threads
device = {}


@cuda.jit
def reduce(x, sums):
    first = cuda.blockIdx.x * PART
    stride = 1
    while stride < PART:
        left = first + 2 * stride * cuda.threadIdx.x
        if cuda.threadIdx.x < PART // (2 * stride) and left + stride < x.size:
            x[left] += x[left + stride]
        cuda.syncthreads()
        stride *= 2
    if cuda.threadIdx.x == 0:
        sums[cuda.blockIdx.x] = x[first]


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
    device.update(numbers=cuda.device_array_like(x), partial=cuda.device_array(parts(n), x.dtype))


def reduce_sum(x, n, total):
    device["numbers"].copy_to_device(x)
    reduce_all(device["numbers"], device["partial"], n, 0)[:1].copy_to_host(total)


def reduce_sum_finish(x, n, total):
    device.clear()
