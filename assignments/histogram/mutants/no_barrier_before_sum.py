# mutant: adds the block's counts while others still count | verdict: wrong | diagnostic: shared-memory race
# launch: histogram block=256 grid=ceil(n/4096)
from numba import cuda, int32


@cuda.jit
def histogram(data, counts, n):
    bins = cuda.shared.array(256, int32)
    me = cuda.threadIdx.x
    bins[me] = 0
    cuda.syncthreads()
    begin = cuda.blockIdx.x * 4096
    for i in range(begin + me, min(n, begin + 4096), 256):
        cuda.atomic.add(bins, data[i], 1)  # <- here
    cuda.atomic.add(counts, me, bins[me])  # <- here
