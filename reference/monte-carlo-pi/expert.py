"""Rung `expert`: Marsaglia's xorshift: three shifts and three exclusive ors, all in 32 bits.

It must not start at zero, and like seeds give like numbers, so a hash mixes the seed first.
"""

from numba import cuda, float32, int32, uint32


@cuda.jit(device=True)
def mixed(seed):
    seed = uint32(uint32(seed ^ uint32(seed >> uint32(16))) * uint32(0x7FEB352D))
    seed = uint32(uint32(seed ^ uint32(seed >> uint32(15))) * uint32(0x846CA68B))
    return uint32(seed ^ uint32(seed >> uint32(16)))


@cuda.jit(device=True)
def following(state):
    state = uint32(state ^ uint32(state << uint32(13)))
    state = uint32(state ^ uint32(state >> uint32(17)))
    return uint32(state ^ uint32(state << uint32(5)))


@cuda.jit
def count_hits(seeds, hits, samples, threads):
    t = cuda.grid(1)
    if t >= threads:
        return
    state = uint32(mixed(seeds[t]) | uint32(1))
    count = int32(0)
    for _ in range(samples):
        state = following(state)
        x = float32(state) * float32(2.3283064e-10)
        state = following(state)
        y = float32(state) * float32(2.3283064e-10)
        if x * x + y * y < float32(1.0):
            count += 1
    hits[t] = count
