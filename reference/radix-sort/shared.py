"""Rung `shared`: counts in shared memory, by each thread for four keys; a scan over the threads gives their places."""

from numba import cuda, int32

SEGMENT = 1024
DIGITS = 16
WARP = 32


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
    before = cuda.shared.array((DIGITS, 256), int32)
    me = int32(cuda.threadIdx.x)
    first = int32(cuda.blockIdx.x * SEGMENT + 4 * me)
    last = min(n, first + 4)
    for digit in range(DIGITS):
        before[digit, me] = 0
    for i in range(first, last):
        before[(x[i] >> shift) & 15, me] += 1
    cuda.syncthreads()
    # A warp scans two digits, 32 threads' counts at a time.
    lane = me % 32
    for digit in range(me // 32, DIGITS, 8):
        total = counts[digit * cuda.gridDim.x + cuda.blockIdx.x]
        for k in range(lane, 256, 32):
            count = before[digit, k]
            place = count
            d = int32(1)
            while d < WARP:
                other = cuda.shfl_up_sync(0xFFFFFFFF, place, d)
                if lane >= d:
                    place += other
                d *= 2
            before[digit, k] = total + place - count
            total += cuda.shfl_sync(0xFFFFFFFF, place, 31)
    cuda.syncthreads()
    for i in range(first, last):
        digit = (x[i] >> shift) & 15
        y[before[digit, me]] = x[i]
        before[digit, me] += 1
