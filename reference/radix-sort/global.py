"""Rung `global`: atomic additions in global memory, and one thread per digit that moves its keys in their order."""

from numba import cuda, int32

SEGMENT = 1024
DIGITS = 16


@cuda.jit
def count_digits(x, counts, shift, n):
    for k in range(cuda.threadIdx.x, SEGMENT, 256):
        i = cuda.blockIdx.x * SEGMENT + k
        if i < n:
            cuda.atomic.add(counts, ((x[i] >> shift) & 15) * cuda.gridDim.x + cuda.blockIdx.x, 1)


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
    digit = cuda.threadIdx.x
    if digit < DIGITS:
        place = counts[digit * cuda.gridDim.x + cuda.blockIdx.x]
        first = cuda.blockIdx.x * SEGMENT
        for i in range(first, min(n, first + SEGMENT)):
            if (x[i] >> shift) & 15 == digit:
                y[place] = x[i]
                place += 1
