"""Rung `global`: the generator of Park and Miller, a product modulo 2^31 - 1 that needs 64 bits and a remainder.

Coordinates are in double precision, of which most GPUs can do few, and the counter is in global memory.
"""

from numba import cuda, uint64


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
        state = following(state)  # neighbouring seeds give neighbouring numbers at first
    hits[t] = 0
    for _ in range(samples):
        state = following(state)
        x = state / 2147483647.0
        state = following(state)
        y = state / 2147483647.0
        if x * x + y * y < 1.0:
            hits[t] += 1
