# mutant: takes the number of the point as the point, a lattice instead of chance | verdict: wrong
from numba import cuda, int32


@cuda.jit
def count_hits(seeds, hits, samples, threads):
    t = cuda.grid(1)
    if t < threads:
        count = int32(0)
        for s in range(samples):
            x = (s % 10) / 10.0
            y = (s // 10 % 10) / 10.0
            if x * x + y * y < 1.0:
                count += 1
        hits[t] = count
