"""Rung `expert`: a thread adds up four elements, and the sums of a warp are scanned by shuffles without a barrier.

Those of the eight warps are added by each thread for itself. Two barriers are left of twenty.
"""

# launch: scan_blocks block=256 grid=ceil(n/1024)

from numba import cuda, int32

THREADS = 256
WARP = 32
WARPS = THREADS // WARP
PER_THREAD = 4
SEGMENT = THREADS * PER_THREAD
EVERYONE = 0xFFFFFFFF


@cuda.jit
def scan_blocks(x, y, sums, n):
    of_warp = cuda.shared.array(WARPS, int32)
    me = int32(cuda.threadIdx.x)
    lane = me % WARP
    first = int32(cuda.blockIdx.x * SEGMENT) + me * PER_THREAD
    values = cuda.local.array(PER_THREAD, int32)
    total = int32(0)
    for k in range(PER_THREAD):
        values[k] = x[first + k] if first + k < n else int32(0)
        total += values[k]
    up_to = total
    distance = 1
    while distance < WARP:
        other = cuda.shfl_up_sync(EVERYONE, up_to, distance)
        if lane >= distance:
            up_to += other
        distance *= 2
    if lane == WARP - 1:
        of_warp[me // WARP] = up_to
    cuda.syncthreads()
    before = up_to - total
    for w in range(me // WARP):
        before += of_warp[w]
    if me == THREADS - 1:
        sums[cuda.blockIdx.x] = before + total
    for k in range(PER_THREAD):
        if first + k < n:
            y[first + k] = before
        before += values[k]


@cuda.jit
def add_offsets(y, offsets, n):
    i = cuda.grid(1)
    if i < n:
        y[i] += offsets[i // 1024]
