"""Rung `global`: one thread per row, which passes over its row for each number that it needs."""

import math

from numba import cuda, float32


@cuda.jit
def softmax(x, out, rows, cols):
    row = cuda.grid(1)
    if row >= rows:
        return
    most = x[row, 0]
    for i in range(1, cols):
        most = max(most, x[row, i])
    total = float32(0.0)
    for i in range(cols):
        total += math.exp(x[row, i] - most)
    for i in range(cols):
        out[row, i] = math.exp(x[row, i] - most) / total


@cuda.jit
def layer_norm(x, weight, bias, normalised, rows, cols):
    row = cuda.grid(1)
    if row >= rows:
        return
    total = float32(0.0)
    for i in range(cols):
        total += x[row, i]
    mean = total / float32(cols)
    squares = float32(0.0)
    for i in range(cols):
        squares += (x[row, i] - mean) * (x[row, i] - mean)
    inverse = float32(1.0) / math.sqrt(squares / float32(cols) + float32(1e-5))
    for i in range(cols):
        normalised[row, i] = (x[row, i] - mean) * inverse * weight[i] + bias[i]
