# mutant: softmax is right, but neighbouring threads read elements that lie a row apart | verdict: accepted | diagnostic: uncoalesced access | part: technique
# launch: layer_norm block=32 grid=rows
import math

from numba import cuda, float32


@cuda.jit
def softmax(x, out, rows, cols):
    row = cuda.grid(1)
    if row < rows:
        most = x[row, 0]
        for i in range(cols):
            most = max(most, x[row, i])  # <- here
        total = float32(0.0)
        for i in range(cols):
            total += math.exp(x[row, i] - most)  # <- here
        for i in range(cols):
            out[row, i] = math.exp(x[row, i] - most) / total  # <- here


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
