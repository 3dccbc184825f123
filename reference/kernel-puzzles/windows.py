"""Rung `windows`: segments and windows that threads load into shared memory together.

A window of three is read from global memory: the caches serve it.
"""

from numba import cuda, float32

SEGMENT = 256
TAPS = 8
TILE = SEGMENT + TAPS - 1
WINDOW = 3


@cuda.jit
def reverse_segments(x, backwards, n):
    segment = cuda.shared.array(SEGMENT, float32)
    first = cuda.blockIdx.x * SEGMENT
    length = min(SEGMENT, n - first)
    i = cuda.threadIdx.x
    if i < length:
        segment[i] = x[first + i]
    cuda.syncthreads()
    if i < length:
        backwards[first + i] = segment[length - 1 - i]


@cuda.jit
def pool(x, pooled, n):
    i = cuda.grid(1)
    if i < n:
        total = x[i]
        for back in range(1, min(i + 1, WINDOW)):
            total += x[i - back]
        pooled[i] = total


@cuda.jit
def convolve(x, weights, convolved, n, taps):
    tile = cuda.shared.array(TILE, float32)
    first = cuda.blockIdx.x * SEGMENT
    me = cuda.threadIdx.x
    for i in range(me, SEGMENT + taps - 1, SEGMENT):
        tile[i] = x[first + i] if first + i < n else float32(0.0)
    cuda.syncthreads()
    i = first + me
    if i < n:
        total = float32(0.0)
        for k in range(taps):
            total += weights[k] * tile[me + k]
        convolved[i] = total
