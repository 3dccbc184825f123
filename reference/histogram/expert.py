"""Rung `expert`: each of the eight warps has counts of its own, so that only lanes of one warp collide.

A block takes 16384 bytes, which makes the additions to the result rare, and a thread counts a run of equal bytes
before it adds: it takes eight neighbours, of which images have many that are equal.
"""

# launch: histogram block=256 grid=ceil(n/16384)

from numba import cuda, int32

VALUES = 256
WARPS = 8
BYTES_PER_BLOCK = 16384
RUN = 8


@cuda.jit
def histogram(data, counts, n):
    bins = cuda.shared.array((WARPS, VALUES), int32)
    me = cuda.threadIdx.x
    warp = me // 32

    for w in range(WARPS):
        bins[w, me] = 0
    cuda.syncthreads()
    begin = cuda.blockIdx.x * BYTES_PER_BLOCK
    end = min(n, begin + BYTES_PER_BLOCK)
    for start in range(begin + me * RUN, end, VALUES * RUN):
        last = int32(data[start])
        length = int32(1)
        for i in range(start + 1, min(start + RUN, end)):
            value = int32(data[i])
            if value == last:
                length += 1
            else:
                cuda.atomic.add(bins, (warp, last), length)
                last = value
                length = int32(1)
        cuda.atomic.add(bins, (warp, last), length)
    cuda.syncthreads()
    count = int32(0)
    for w in range(WARPS):
        count += bins[w, me]
    if count > 0:
        cuda.atomic.add(counts, me, count)
