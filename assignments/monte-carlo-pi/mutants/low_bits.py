# mutant: takes the low bits of a generator modulo 2^32, which repeat at once | verdict: wrong
from numba import cuda, int32, uint32


@cuda.jit
def count_hits(seeds, hits, samples, threads):
    t = cuda.grid(1)
    if t < threads:
        state = uint32(seeds[t])
        count = int32(0)
        for _ in range(samples):
            state = uint32(state * uint32(1664525) + uint32(1013904223))
            x = (state & uint32(255)) / 256.0
            state = uint32(state * uint32(1664525) + uint32(1013904223))
            y = (state & uint32(255)) / 256.0
            if x * x + y * y < 1.0:
                count += 1
        hits[t] = count
