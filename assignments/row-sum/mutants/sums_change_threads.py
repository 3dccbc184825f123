# mutant: finished sums go through shared memory | verdict: accepted | part: technique | loses: 10 | beside: global
from numba import cuda, float32

N = 32


@cuda.jit(device=True)
def sum_rows(a, out, rows, cols):
    sums = cuda.shared.array(N, float32)
    t = cuda.threadIdx.x
    row = cuda.blockIdx.x * N + t
    total = float32(0)
    if row < rows:
        for col in range(cols):
            total += a[row, col]
    sums[t] = total
    cuda.syncthreads()
    other = cuda.blockIdx.x * N + (t ^ 1)
    if other < rows:
        out[other] = sums[t ^ 1]


@cuda.jit
def row_sum_shared(a, out, rows, cols):
    sum_rows(a, out, rows, cols)


@cuda.jit
def row_sum_shared_padded(a, out, rows, cols):
    sum_rows(a, out, rows, cols)


# launch: row_sum_shared block=32 grid=ceil(rows/32)
# launch: row_sum_shared_padded block=32 grid=ceil(rows/32)
