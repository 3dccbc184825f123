# mutant: writes before the block has its places | verdict: wrong | diagnostic: shared-memory race
from numba import cuda, int32


@cuda.jit
def compact(x, out, count, threshold, n):
    i = cuda.grid(1)
    me = cuda.threadIdx.x
    kept = cuda.shared.array(1, int32)
    first = cuda.shared.array(1, int32)
    if me == 0:
        kept[0] = 0
        first[0] = 0
    cuda.syncthreads()
    keep = i < n and x[i] > threshold
    mine = int32(0)
    if keep:
        mine = cuda.atomic.add(kept, 0, 1)
    cuda.syncthreads()
    if me == 0:
        first[0] = cuda.atomic.add(count, 0, kept[0])  # <- here
    if keep:
        out[first[0] + mine] = x[i]  # <- here
