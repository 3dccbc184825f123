# mutant: scan_blocks reads elements behind the last one | verdict: crashed | diagnostic: out of bounds | beside: look_back
from numba import cuda, int32


@cuda.jit
def scan_blocks(x, y, sums, n):
    line = cuda.shared.array(1024, int32)
    me = cuda.threadIdx.x
    i = cuda.blockIdx.x * 1024 + me
    mine = x[i]  # <- here
    line[me] = mine
    cuda.syncthreads()
    d = 1
    while d < 1024:
        before = line[me - d] if me >= d else int32(0)
        cuda.syncthreads()
        line[me] += before
        cuda.syncthreads()
        d *= 2
    if i < n:
        y[i] = line[me] - mine
    if me == 1023:
        sums[cuda.blockIdx.x] = line[me]


@cuda.jit
def add_offsets(y, offsets, n):
    i = cuda.grid(1)
    if i < n:
        y[i] += offsets[i // 1024]
