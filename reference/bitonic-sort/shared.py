"""Rung `shared`: a segment is loaded once, sorted in shared memory, and stored once."""

from numba import cuda, int32

SEGMENT = 1024
LARGEST = 0x7FFFFFFF


@cuda.jit(device=True)
def compare(line, size, stride):
    t = int32(cuda.threadIdx.x)
    low = 2 * stride * (t // stride) + t % stride
    high = low + stride
    if 2 * stride == size:
        high = low + size - 1 - 2 * (t % stride)
    if line[low] > line[high]:
        larger = line[low]
        line[low] = line[high]
        line[high] = larger
    cuda.syncthreads()


@cuda.jit(device=True)
def load(line, y, n):
    """What stands behind the last element is larger than any other, so it stays there."""
    for k in range(cuda.threadIdx.x, SEGMENT, SEGMENT // 2):
        i = cuda.blockIdx.x * SEGMENT + k
        line[k] = y[i] if i < n else int32(LARGEST)
    cuda.syncthreads()


@cuda.jit(device=True)
def store(line, y, n):
    for k in range(cuda.threadIdx.x, SEGMENT, SEGMENT // 2):
        i = cuda.blockIdx.x * SEGMENT + k
        if i < n:
            y[i] = line[k]


@cuda.jit
def sort_segments(y, n):
    line = cuda.shared.array(SEGMENT, int32)
    load(line, y, n)
    size = int32(2)
    while size <= SEGMENT:
        stride = size >> 1
        while stride > 0:
            compare(line, size, stride)
            stride >>= 1
        size <<= 1
    store(line, y, n)


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
    line = cuda.shared.array(SEGMENT, int32)
    load(line, y, n)
    stride = int32(SEGMENT // 2)
    while stride > 0:
        compare(line, int32(2 * SEGMENT), stride)
        stride >>= 1
    store(line, y, n)
