"""What every row-wise lab's `expert` does alike: a block of 256 threads reduces a row to one number.

How is said by three parameters: `neutral`, what an empty row gives; `add(total, x)`, the total with one more element;
`merge(one, other)`, two totals in one. The last two are device functions, and Numba compiles a version for each set.
"""

from numba import cuda, float32

FULL_MASK = 0xFFFFFFFF
WARP = 32
WARPS = 8
BLOCK = WARPS * WARP


@cuda.jit(device=True)
def fold_share(a, row, cols, neutral, add):
    """What a thread makes of its share of a row."""
    total = float32(neutral)
    # Four elements are asked for before the first is needed. They are 4-byte loads: Numba has no way to read
    # four neighbours of a float32 array at once.
    col = cuda.threadIdx.x
    while col + 3 * BLOCK < cols:
        x0 = a[row, col]
        x1 = a[row, col + BLOCK]
        x2 = a[row, col + 2 * BLOCK]
        x3 = a[row, col + 3 * BLOCK]
        total = add(add(add(add(total, x0), x1), x2), x3)
        col += 4 * BLOCK
    while col < cols:
        total = add(total, a[row, col])
        col += BLOCK
    return total


@cuda.jit(device=True)
def merge_block(total, neutral, merge):
    """All 256 shares in one, in thread 0.

    By shuffles within each warp, then by shuffles over the eight results, which pass through shared memory, each in
    a bank of its own.
    """
    of_warp = cuda.shared.array(WARPS, float32)

    lane = cuda.threadIdx.x % WARP
    warp = cuda.threadIdx.x // WARP

    distance = WARP // 2
    while distance > 0:
        total = merge(total, cuda.shfl_down_sync(FULL_MASK, total, distance))
        distance //= 2
    if lane == 0:
        of_warp[warp] = total
    cuda.syncthreads()
    if warp == 0:
        total = of_warp[lane] if lane < WARPS else float32(neutral)
        distance = WARPS // 2
        while distance > 0:
            total = merge(total, cuda.shfl_down_sync(FULL_MASK, total, distance))
            distance //= 2
    return total
