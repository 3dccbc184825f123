# mutant: softmax takes one element per lane, so those behind the 32nd are missing | verdict: wrong
# launch: layer_norm block=32 grid=rows
# launch: softmax block=32 grid=rows
import math

from numba import cuda, float32


@cuda.jit
def softmax(x, out, rows, cols):
    row = cuda.blockIdx.x
    i = cuda.threadIdx.x
    value = x[row, i] if i < cols else float32(-math.inf)
    most = value
    for d in (16, 8, 4, 2, 1):
        most = max(most, cuda.shfl_xor_sync(0xFFFFFFFF, most, d))
    total = math.exp(value - most)
    for d in (16, 8, 4, 2, 1):
        total += cuda.shfl_xor_sync(0xFFFFFFFF, total, d)
    if i < cols:
        out[row, i] = math.exp(value - most) / total


@cuda.jit
def layer_norm(x, weight, bias, normalised, rows, cols):
    row = cuda.blockIdx.x
    lane = cuda.threadIdx.x
    total = float32(0.0)
    for i in range(lane, cols, 32):
        total += x[row, i]
    for d in (16, 8, 4, 2, 1):
        total += cuda.shfl_xor_sync(0xFFFFFFFF, total, d)
    mean = total / float32(cols)
    squares = float32(0.0)
    for i in range(lane, cols, 32):
        squares += (x[row, i] - mean) * (x[row, i] - mean)
    for d in (16, 8, 4, 2, 1):
        squares += cuda.shfl_xor_sync(0xFFFFFFFF, squares, d)
    inverse = float32(1.0) / math.sqrt(squares / float32(cols) + float32(1e-5))
    for i in range(lane, cols, 32):
        normalised[row, i] = (x[row, i] - mean) * inverse * weight[i] + bias[i]
