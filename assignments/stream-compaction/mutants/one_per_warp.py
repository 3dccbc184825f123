# mutant: keeps one element of each warp | verdict: wrong
from numba import cuda


@cuda.jit
def compact(x, out, count, threshold, n):
    i = cuda.grid(1)
    keep = i < n and x[i] > threshold
    votes = cuda.ballot_sync(0xFFFFFFFF, keep)
    if keep and votes & ((1 << (cuda.threadIdx.x % 32)) - 1) == 0:
        out[cuda.atomic.add(count, 0, 1)] = x[i]
