# grid-stride loop, then warp shuffles
# launch: reduce_int32 block=256 grid=min(ceil(n/2048),640)
# launch: reduce_float32 block=256 grid=min(ceil(n/2048),640)
from numba import cuda, float32, int32


@cuda.jit
def reduce_int32(a, a_sums, work, n):
    sums = cuda.shared.array(8, int32)
    t = cuda.threadIdx.x
    s = int32(0)
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        s += a[i]
    for d in (16, 8, 4, 2, 1):
        s += cuda.shfl_down_sync(0xFFFFFFFF, s, d)
    if t % 32 == 0:
        sums[t // 32] = s
    cuda.syncthreads()
    if t == 0:
        for w in range(1, 8):
            s += sums[w]
        a_sums[cuda.blockIdx.x] = s


@cuda.jit
def reduce_float32(x, x_sums, work, n):
    sums = cuda.shared.array(8, float32)
    t = cuda.threadIdx.x
    s = float32(0)
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        s += x[i]
    for d in (16, 8, 4, 2, 1):
        s += cuda.shfl_down_sync(0xFFFFFFFF, s, d)
    if t % 32 == 0:
        sums[t // 32] = s
    cuda.syncthreads()
    if t == 0:
        for w in range(1, 8):
            s += sums[w]
        x_sums[cuda.blockIdx.x] = s
