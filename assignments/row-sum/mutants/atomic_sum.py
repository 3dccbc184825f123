# mutant: row_sum_shared adds with forbidden atomic operations | verdict: failed to build | beside: global, shared_padded
from numba import cuda, float32


@cuda.jit
def row_sum_shared(a, out, rows, cols):
    sums = cuda.shared.array(32, float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    row0 = cuda.blockIdx.x * 32
    if ty == 0:
        sums[tx] = 0.0
    cuda.syncthreads()
    for i in range(ty, 32, 8):
        if row0 + i < rows:
            for col in range(tx, cols, 32):
                cuda.atomic.add(sums, i, a[row0 + i, col])
    cuda.syncthreads()
    if ty == 0 and row0 + tx < rows:
        out[row0 + tx] = sums[tx]
