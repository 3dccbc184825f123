"""Rung `expert`: one warp per row, so no thread waits at a barrier, and shuffles merge the numbers of its lanes.

Softmax passes over the row twice, not three times: it finds the largest element and the sum together, because a sum
that was made for a smaller maximum is scaled when a larger one comes.
"""

# launch: softmax block=128 grid=ceil(rows/4)
# launch: layer_norm block=128 grid=ceil(rows/4)

import math

from numba import cuda, float32

EVERYONE = 0xFFFFFFFF
WARPS = 4


@cuda.jit
def softmax(x, out, rows, cols):
    row = cuda.blockIdx.x * WARPS + cuda.threadIdx.x // 32
    lane = cuda.threadIdx.x % 32
    if row >= rows:
        return
    most = x[row, 0]
    total = float32(0.0)
    for i in range(lane, cols, 32):
        value = x[row, i]
        if value > most:
            total *= math.exp(most - value)
            most = value
        total += math.exp(value - most)
    distance = 16
    while distance > 0:
        other = cuda.shfl_xor_sync(EVERYONE, most, distance)
        sums = cuda.shfl_xor_sync(EVERYONE, total, distance)
        larger = max(most, other)
        total = total * math.exp(most - larger) + sums * math.exp(other - larger)
        most = larger
        distance //= 2
    inverse = float32(1.0) / total
    for i in range(lane, cols, 32):
        out[row, i] = math.exp(x[row, i] - most) * inverse


@cuda.jit(device=True)
def of_warp(value):
    """The sum of the 32 lanes' values, in every lane."""
    distance = 16
    while distance > 0:
        value += cuda.shfl_xor_sync(EVERYONE, value, distance)
        distance //= 2
    return value


@cuda.jit
def layer_norm(x, weight, bias, normalised, rows, cols):
    row = cuda.blockIdx.x * WARPS + cuda.threadIdx.x // 32
    lane = cuda.threadIdx.x % 32
    if row >= rows:
        return
    total = float32(0.0)
    for i in range(lane, cols, 32):
        total += x[row, i]
    mean = of_warp(total) / float32(cols)
    squares = float32(0.0)
    for i in range(lane, cols, 32):
        difference = x[row, i] - mean
        squares += difference * difference
    inverse = float32(1.0) / math.sqrt(of_warp(squares) / float32(cols) + float32(1e-5))
    for i in range(lane, cols, 32):
        normalised[row, i] = (x[row, i] - mean) * inverse * weight[i] + bias[i]
