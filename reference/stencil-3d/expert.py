"""Rung `expert`: as `planes`, and a thread takes two rows, so that each has the other as a neighbour in registers."""

# launch: step block=32,4 grid=ceil(cols/32),ceil(rows/8),ceil(depth/8)

from numba import cuda, float32, int32

PLANES = 8


@cuda.jit
def step(old, out, alpha, depth, rows, cols):
    col = int32(cuda.blockIdx.x * 32 + cuda.threadIdx.x)
    top = int32(2 * (cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y))
    if top >= rows or col >= cols:
        return
    # A second row behind the last one repeats it, and is not written.
    low = min(top + 1, rows - 1)
    above = max(top - 1, 0)
    below = min(low + 1, rows - 1)
    before = max(col - 1, 0)
    after = min(col + 1, cols - 1)
    first = int32(cuda.blockIdx.z * PLANES)
    six = float32(6.0)
    here1 = old[first, top, col]
    here2 = old[first, low, col]
    front1 = old[max(first - 1, 0), top, col]
    front2 = old[max(first - 1, 0), low, col]
    for z in range(first, min(depth, first + PLANES)):
        following = min(z + 1, depth - 1)
        back1 = old[following, top, col]
        back2 = old[following, low, col]
        sum1 = old[z, top, before] + old[z, top, after] + old[z, above, col] + here2 + front1 + back1
        out[z, top, col] = here1 + alpha * (sum1 - six * here1)
        if low > top:
            sum2 = old[z, low, before] + old[z, low, after] + here1 + old[z, below, col] + front2 + back2
            out[z, low, col] = here2 + alpha * (sum2 - six * here2)
        front1 = here1
        front2 = here2
        here1 = back1
        here2 = back2
