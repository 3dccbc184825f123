"""Rung `warp`: the lanes vote.

One of them takes places for all that keep their element, and each finds its own place by counting the votes of the
lanes before it.
"""

from numba import cuda, float32, int32, uint32

EVERYONE = 0xFFFFFFFF


@cuda.jit
def compact(x, out, count, threshold, n):
    i = cuda.grid(1)
    lane = cuda.threadIdx.x % 32
    value = float32(0.0)
    if i < n:
        value = x[i]
    keep = i < n and value > threshold
    votes = uint32(cuda.ballot_sync(EVERYONE, keep))
    first = int32(0)
    if lane == 0 and votes != 0:
        first = cuda.atomic.add(count, 0, cuda.popc(votes))
    first = cuda.shfl_sync(EVERYONE, first, 0)
    if keep:
        out[first + cuda.popc(votes & uint32((1 << lane) - 1))] = value
