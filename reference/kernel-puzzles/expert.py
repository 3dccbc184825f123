"""Rung `expert`: a block takes a segment, and its warps add up by shuffles; a row is that of one warp.

The matrix product has tiles of 32 x 32 in shared memory, and each thread four rows of a column.
"""

# launch: dot block=256 grid=ceil(n/256)
# launch: prefix_sum block=256 grid=ceil(n/256)
# launch: axis_sum block=128 grid=ceil(rows/4)
# launch: matmul block=32,8 grid=ceil(cols/32),ceil(rows/32)

from numba import cuda, float32, int32

WARPS = 8
LANES = 32
TILE = 32
ALL = 0xFFFFFFFF


@cuda.jit(device=True)
def warp_sum(value):
    for step in (16, 8, 4, 2, 1):
        value += cuda.shfl_down_sync(ALL, value, step)
    return value


@cuda.jit
def dot(x, y, products, n):
    of_warp = cuda.shared.array(WARPS, float32)
    i = cuda.grid(1)
    me = cuda.threadIdx.x
    total = warp_sum(x[i] * y[i] if i < n else float32(0.0))
    if me % LANES == 0:
        of_warp[me // LANES] = total
    cuda.syncthreads()
    if me < LANES:
        total = warp_sum(of_warp[me] if me < WARPS else float32(0.0))
        if me == 0:
            products[cuda.blockIdx.x] = total


@cuda.jit
def prefix_sum(x, sums, n):
    of_warp = cuda.shared.array(WARPS, float32)
    i = cuda.grid(1)
    lane = int32(cuda.threadIdx.x) % LANES
    warp = int32(cuda.threadIdx.x) // LANES
    total = x[i] if i < n else float32(0.0)
    for step in (1, 2, 4, 8, 16):
        before = cuda.shfl_up_sync(ALL, total, step)
        if lane >= step:
            total += before
    if lane == LANES - 1:
        of_warp[warp] = total
    cuda.syncthreads()
    start = float32(0.0)
    for other in range(warp):
        start += of_warp[other]
    if i < n:
        sums[i] = start + total


@cuda.jit
def axis_sum(left, row_sums, rows, inner):
    row = cuda.grid(1) // LANES
    lane = cuda.threadIdx.x % LANES
    if row < rows:
        total = float32(0.0)
        for i in range(lane, inner, LANES):
            total += left[row, i]
        total = warp_sum(total)
        if lane == 0:
            row_sums[row] = total


@cuda.jit
def matmul(left, right, product, rows, inner, cols):
    of_left = cuda.shared.array((TILE, TILE), float32)
    of_right = cuda.shared.array((TILE, TILE), float32)
    x = int32(cuda.threadIdx.x)
    y = int32(cuda.threadIdx.y)
    col = int32(cuda.blockIdx.x) * TILE + x
    top = int32(cuda.blockIdx.y) * TILE
    sum0 = float32(0.0)
    sum1 = float32(0.0)
    sum2 = float32(0.0)
    sum3 = float32(0.0)
    for first in range(0, inner, TILE):
        for at in range(y, TILE, 8):
            of_left[at, x] = (
                left[top + at, first + x] if top + at < rows and first + x < inner else float32(0.0)
            )
            of_right[at, x] = right[first + at, col] if first + at < inner and col < cols else float32(0.0)
        cuda.syncthreads()
        for k in range(TILE):
            factor = of_right[k, x]
            sum0 += of_left[y, k] * factor
            sum1 += of_left[y + 8, k] * factor
            sum2 += of_left[y + 16, k] * factor
            sum3 += of_left[y + 24, k] * factor
        cuda.syncthreads()
    if col < cols:
        if top + y < rows:
            product[top + y, col] = sum0
        if top + y + 8 < rows:
            product[top + y + 8, col] = sum1
        if top + y + 16 < rows:
            product[top + y + 16, col] = sum2
        if top + y + 24 < rows:
            product[top + y + 24, col] = sum3
