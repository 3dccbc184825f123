"""Rung `global`: a block sorts its segment in global memory, with a barrier after each step of comparisons."""

from numba import cuda, int32

SEGMENT = 1024


@cuda.jit(device=True)
def compare(y, first, n, size, stride):
    """The comparisons of one step among the elements of a segment; thread t has the t-th pair."""
    t = int32(cuda.threadIdx.x)
    low = first + 2 * stride * (t // stride) + t % stride
    high = low + stride
    if 2 * stride == size:
        high = low + size - 1 - 2 * (t % stride)
    if high < n and y[low] > y[high]:
        larger = y[low]
        y[low] = y[high]
        y[high] = larger
    cuda.syncthreads()


@cuda.jit
def sort_segments(y, n):
    size = int32(2)
    while size <= SEGMENT:
        stride = size >> 1
        while stride > 0:
            compare(y, int32(cuda.blockIdx.x * SEGMENT), n, size, stride)
            stride >>= 1
        size <<= 1


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
    stride = int32(SEGMENT // 2)
    while stride > 0:
        compare(y, int32(cuda.blockIdx.x * SEGMENT), n, int32(2 * SEGMENT), stride)
        stride >>= 1
