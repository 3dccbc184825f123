"""Rung `registers`: the counter is in a register, and coordinates are products in single precision.

Its 24 bits are more than a count of a thousand points can show.
"""

from numba import cuda, float32, int32, uint64


@cuda.jit(device=True)
def following(state):
    return uint64(48271) * state % uint64(2147483647)


@cuda.jit
def count_hits(seeds, hits, samples, threads):
    t = cuda.grid(1)
    if t >= threads:
        return
    state = uint64(seeds[t])
    for _ in range(4):
        state = following(state)
    count = int32(0)
    for _ in range(samples):
        state = following(state)
        x = float32(state) * float32(4.656612875e-10)
        state = following(state)
        y = float32(state) * float32(4.656612875e-10)
        if x * x + y * y < float32(1.0):
            count += 1
    hits[t] = count
