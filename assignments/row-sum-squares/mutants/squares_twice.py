# mutant: row_sum_squares_shared squares the partial sums once more | verdict: wrong | beside: global, shared_padded
from numba import cuda, float32


@cuda.jit
def row_sum_squares_shared(a, out, rows, cols):
    part = cuda.shared.array((32, 8), float32)
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    # 8 threads per row
    for k in range(4):
        r = cuda.blockIdx.x * 32 + k * 8 + y
        s = float32(0)
        if r < rows:
            for c in range(x, cols, 32):
                s += a[r, c] * a[r, c]
        if x < 8:
            part[k * 8 + y, x] = 0
        cuda.syncthreads()
        for lane in range(0, 32, 8):
            if lane <= x < lane + 8:
                part[k * 8 + y, x - lane] += s
            cuda.syncthreads()
    if y == 0:
        r = cuda.blockIdx.x * 32 + x
        s = float32(0)
        for i in range(8):
            s += part[x, i] * part[x, i]
        if r < rows:
            out[r] = s
