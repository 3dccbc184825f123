"""Rung `expert`: a block takes 2048 elements, eight per thread, and asks for its places with one atomic addition.

The warps count their votes first, then the counts of the eight warps are added up in shared memory.
"""

# launch: compact block=256 grid=ceil(n/2048)

from numba import cuda, float32, int32, uint32

WARPS = 8
ROUNDS = 8
EVERYONE = 0xFFFFFFFF


@cuda.jit
def compact(x, out, count, threshold, n):
    of_warp = cuda.shared.array(WARPS, int32)
    first_of_block = cuda.shared.array(1, int32)
    me = cuda.threadIdx.x
    lane = me % 32
    warp = me // 32
    begin = cuda.blockIdx.x * WARPS * ROUNDS * 32 + warp * ROUNDS * 32 + lane

    values = cuda.local.array(ROUNDS, float32)
    kept = int32(0)
    for k in range(ROUNDS):
        i = begin + k * 32
        values[k] = x[i] if i < n else threshold
        votes = uint32(cuda.ballot_sync(EVERYONE, values[k] > threshold))
        kept += cuda.popc(votes)
    if lane == 0:
        of_warp[warp] = kept
    cuda.syncthreads()
    if me == 0:
        total = int32(0)
        for w in range(WARPS):
            here = of_warp[w]
            of_warp[w] = total
            total += here
        first_of_block[0] = cuda.atomic.add(count, 0, total)
    cuda.syncthreads()
    place = first_of_block[0] + of_warp[warp]
    for k in range(ROUNDS):
        keep = values[k] > threshold
        votes = uint32(cuda.ballot_sync(EVERYONE, keep))
        if keep:
            out[place + cuda.popc(votes & uint32((1 << lane) - 1))] = values[k]
        place += cuda.popc(votes)
