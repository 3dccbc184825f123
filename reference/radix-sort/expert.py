"""Rung `expert`: ballots give each lane the lanes with its digit; counts are kept per warp, not per thread."""

from numba import cuda, int32, uint32

SEGMENT = 1024
DIGITS = 16
SLOTS = 17  # One more, for lanes without a key.


@cuda.jit(device=True)
def same_digit(digit):
    """The lanes with the same digit as this one; those without a key have digit 16 and find each other."""
    same = uint32(0xFFFFFFFF)
    for bit in range(5):
        voted = uint32(cuda.ballot_sync(0xFFFFFFFF, (digit >> bit) & 1))
        if (digit >> bit) & 1:
            same &= voted
        else:
            same &= ~voted
    return same


@cuda.jit
def count_digits(x, counts, shift, n):
    mine = cuda.shared.array(DIGITS, int32)
    me = cuda.threadIdx.x
    if me < DIGITS:
        mine[me] = 0
    cuda.syncthreads()
    for k in range(me, SEGMENT, 256):
        i = cuda.blockIdx.x * SEGMENT + k
        if i < n:
            cuda.atomic.add(mine, (x[i] >> shift) & 15, 1)
    cuda.syncthreads()
    if me < DIGITS:
        counts[me * cuda.gridDim.x + cuda.blockIdx.x] = mine[me]


@cuda.jit
def scan_counts(counts, n):
    # Each thread adds up a part, the sums of all threads are scanned in shared memory, and each thread writes its part.
    sums = cuda.shared.array(SEGMENT, int32)
    length = DIGITS * ((n + 1023) // SEGMENT)
    part = (length + 1023) // SEGMENT
    me = int32(cuda.threadIdx.x)
    first = min(me * part, length)
    last = min(first + part, length)
    total = int32(0)
    for i in range(first, last):
        total += counts[i]
    sums[me] = total
    cuda.syncthreads()
    d = int32(1)
    while d < SEGMENT:
        before = sums[me - d] if me >= d else int32(0)
        cuda.syncthreads()
        sums[me] += before
        cuda.syncthreads()
        d *= 2
    place = sums[me] - total
    for i in range(first, last):
        count = counts[i]
        counts[i] = place
        place += count


@cuda.jit
def scatter(x, counts, y, shift, n):
    places = cuda.shared.array((8, SLOTS), int32)
    keys = cuda.local.array(4, uint32)
    digits = cuda.local.array(4, int32)
    ranks = cuda.local.array(4, int32)
    lane = int32(cuda.threadIdx.x % 32)
    warp = int32(cuda.threadIdx.x // 32)
    first = int32(cuda.blockIdx.x * SEGMENT + warp * 128 + lane)
    below = uint32((1 << lane) - 1)

    if lane < SLOTS:
        places[warp, lane] = 0
    cuda.syncwarp()
    for k in range(4):
        i = first + 32 * k
        keys[k] = x[i] if i < n else uint32(0)
        digit = int32((keys[k] >> uint32(shift)) & 15) if i < n else int32(DIGITS)
        same = same_digit(digit)
        lower = cuda.popc(same & below)
        digits[k] = digit
        ranks[k] = places[warp, digit] + lower
        cuda.syncwarp()
        if lower == 0:
            places[warp, digit] += cuda.popc(same)
        cuda.syncwarp()
    cuda.syncthreads()
    me = cuda.threadIdx.x
    if me < DIGITS:
        total = counts[me * cuda.gridDim.x + cuda.blockIdx.x]
        for w in range(8):
            count = places[w, me]
            places[w, me] = total
            total += count
    cuda.syncthreads()
    for k in range(4):
        if digits[k] < DIGITS:
            y[places[warp, digits[k]] + ranks[k]] = keys[k]
