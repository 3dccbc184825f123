"""Rung `brent_kung`: a tree of sums up to the root, and down again to what stands before each element.

Two thousand additions for a thousand elements. Half of the threads have nothing to do after each level, and a level's
stride brings bank conflicts; one unused element after every 32 spreads them.
"""

# launch: scan_blocks block=512 grid=ceil(n/1024)

from numba import cuda, int32

SEGMENT = 1024
WIDTH = SEGMENT + SEGMENT // 32


@cuda.jit(device=True)
def at(i):
    """The place of an element in shared memory."""
    return i + (i >> 5)


@cuda.jit
def scan_blocks(x, y, sums, n):
    line = cuda.shared.array(WIDTH, int32)
    me = int32(cuda.threadIdx.x)
    first = int32(cuda.blockIdx.x * SEGMENT)
    for k in range(me, SEGMENT, SEGMENT // 2):
        line[at(k)] = x[first + k] if first + k < n else int32(0)
    stride = int32(1)
    active = int32(SEGMENT // 2)
    while active > 0:
        cuda.syncthreads()
        if me < active:
            line[at(stride * (2 * me + 2) - 1)] += line[at(stride * (2 * me + 1) - 1)]
        stride <<= 1
        active >>= 1
    if me == 0:
        sums[cuda.blockIdx.x] = line[at(SEGMENT - 1)]
        line[at(SEGMENT - 1)] = 0
    active = int32(1)
    while active < SEGMENT:
        stride >>= 1
        cuda.syncthreads()
        if me < active:
            low = at(stride * (2 * me + 1) - 1)
            high = at(stride * (2 * me + 2) - 1)
            left = line[low]
            line[low] = line[high]
            line[high] += left
        active <<= 1
    cuda.syncthreads()
    for k in range(me, SEGMENT, SEGMENT // 2):
        if first + k < n:
            y[first + k] = line[at(k)]


@cuda.jit
def add_offsets(y, offsets, n):
    i = cuda.grid(1)
    if i < n:
        y[i] += offsets[i // 1024]
