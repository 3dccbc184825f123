# mutant: looks at three bits of each digit | verdict: wrong
from numba import cuda, int32


@cuda.jit
def count_digits(x, counts, shift, n):
    for k in range(cuda.threadIdx.x, 1024, 256):
        i = cuda.blockIdx.x * 1024 + k
        if i < n:
            cuda.atomic.add(counts, ((x[i] >> shift) & 7) * cuda.gridDim.x + cuda.blockIdx.x, 1)


@cuda.jit
def scan_counts(counts, n):
    # Each thread adds up a part, the sums of all threads are scanned in shared memory, and each thread writes its part.
    sums = cuda.shared.array(1024, int32)
    length = 16 * ((n + 1023) // 1024)
    part = (length + 1023) // 1024
    me = int32(cuda.threadIdx.x)
    first = min(me * part, length)
    last = min(first + part, length)
    total = int32(0)
    for i in range(first, last):
        total += counts[i]
    sums[me] = total
    cuda.syncthreads()
    d = int32(1)
    while d < 1024:
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
    if digit < 16:
        place = counts[digit * cuda.gridDim.x + cuda.blockIdx.x]
        first = cuda.blockIdx.x * 1024
        for i in range(first, min(n, first + 1024)):
            if (x[i] >> shift) & 7 == digit:
                y[place] = x[i]
                place += 1
