"""Rung `coalesced`: step 1. Far elements are added first, so that neighbouring threads use neighbouring elements."""

from numba import cuda

PART = 1024  # elements of a block, which has half as many threads
device = {}


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
    device.update(numbers=cuda.device_array_like(x), partial=cuda.device_array(parts(n), x.dtype))


def reduce_sum(x, n, total):
    device["numbers"].copy_to_device(x)
    reduce_all(device["numbers"], device["partial"], n, 0)[:1].copy_to_host(total)


def reduce_sum_finish(x, n, total):
    device.clear()
