"""Rung `kogge_stone`: after step k every element is the sum of the 2^k elements up to it.

Ten steps for 1024 elements, and in each nearly every thread adds, so that a block adds ten thousand times for a
thousand elements.
"""

from numba import cuda, int32

SEGMENT = 1024


@cuda.jit
def scan_blocks(x, y, sums, n):
    line = cuda.shared.array(SEGMENT, int32)
    me = cuda.threadIdx.x
    i = cuda.blockIdx.x * SEGMENT + me
    mine = int32(0)
    if i < n:
        mine = x[i]
    line[me] = mine
    cuda.syncthreads()
    distance = 1
    while distance < SEGMENT:
        before = int32(0)
        if me >= distance:
            before = line[me - distance]
        cuda.syncthreads()
        line[me] += before
        cuda.syncthreads()
        distance *= 2
    if i < n:
        y[i] = line[me] - mine
    if me == SEGMENT - 1:
        sums[cuda.blockIdx.x] = line[me]


@cuda.jit
def add_offsets(y, offsets, n):
    i = cuda.grid(1)
    if i < n:
        y[i] += offsets[i // 1024]
