"""Rung `expert`: a thread keeps its element in a register. 40 of 55 steps stay within a warp, without a barrier."""

# launch: sort_segments block=1024 grid=ceil(n/1024)
# launch: finish_segments block=1024 grid=ceil(n/1024)

from numba import cuda, int32

SEGMENT = 1024
LARGEST = 0x7FFFFFFF
WARP = 32
EVERYONE = 0xFFFFFFFF


@cuda.jit(device=True)
def exchange(mine, mask, lines, turn):
    """The element that a thread keeps of its own and its partner's; their numbers differ in the bits of mask.

    Partners of one warp exchange by shuffles; others through shared memory, in two arrays that take turns.
    """
    t = int32(cuda.threadIdx.x)
    other = mine
    if mask < WARP:
        other = cuda.shfl_xor_sync(EVERYONE, mine, mask)
    else:
        lines[turn, t] = mine
        cuda.syncthreads()
        other = lines[turn, t ^ mask]
    return min(mine, other) if t ^ mask > t else max(mine, other)


@cuda.jit
def sort_segments(y, n):
    lines = cuda.shared.array((2, SEGMENT), int32)
    i = cuda.blockIdx.x * SEGMENT + cuda.threadIdx.x
    mine = y[i] if i < n else int32(LARGEST)
    turn = int32(0)
    size = int32(2)
    while size <= SEGMENT:
        mine = exchange(mine, size - 1, lines, turn)
        turn ^= size > WARP
        stride = size >> 2
        while stride > 0:
            mine = exchange(mine, stride, lines, turn)
            turn ^= stride >= WARP
            stride >>= 1
        size <<= 1
    if i < n:
        y[i] = mine


@cuda.jit
def merge_step(y, size, stride, n):
    # The first step of a merge compares mirror images, so that all comparisons put the smaller element first.
    i = int32(cuda.grid(1))
    other = i ^ (size - 1) if stride == size // 2 else i ^ stride
    if other > i and other < n:
        low = y[i]
        high = y[other]
        if low > high:
            y[i] = high
            y[other] = low


@cuda.jit
def finish_segments(y, n):
    lines = cuda.shared.array((2, SEGMENT), int32)
    i = cuda.blockIdx.x * SEGMENT + cuda.threadIdx.x
    mine = y[i] if i < n else int32(LARGEST)
    turn = int32(0)
    stride = int32(SEGMENT // 2)
    while stride > 0:
        mine = exchange(mine, stride, lines, turn)
        turn ^= stride >= WARP
        stride >>= 1
    if i < n:
        y[i] = mine
