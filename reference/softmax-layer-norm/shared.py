"""Rung `shared`: one block per row, so that neighbouring threads read neighbouring numbers.

A tree in shared memory makes one number of those of 128 threads.
"""

# launch: softmax block=128 grid=rows
# launch: layer_norm block=128 grid=rows

import math

from numba import cuda, float32

THREADS = 128


@cuda.jit(device=True)
def plus(a, b):
    return a + b


@cuda.jit(device=True)
def larger(a, b):
    return max(a, b)


@cuda.jit(device=True)
def of_block(mine, merge):
    """One number of those of all threads, in every thread."""
    tree = cuda.shared.array(THREADS, float32)
    me = cuda.threadIdx.x
    tree[me] = mine
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if me < half:
            tree[me] = merge(tree[me], tree[me + half])
        cuda.syncthreads()
        half //= 2
    every = tree[0]
    cuda.syncthreads()
    return every


@cuda.jit
def softmax(x, out, rows, cols):
    row = cuda.blockIdx.x
    most = x[row, 0]
    for i in range(cuda.threadIdx.x, cols, THREADS):
        most = max(most, x[row, i])
    most = of_block(most, larger)
    total = float32(0.0)
    for i in range(cuda.threadIdx.x, cols, THREADS):
        total += math.exp(x[row, i] - most)
    total = of_block(total, plus)
    for i in range(cuda.threadIdx.x, cols, THREADS):
        out[row, i] = math.exp(x[row, i] - most) / total


@cuda.jit
def layer_norm(x, weight, bias, normalised, rows, cols):
    row = cuda.blockIdx.x
    total = float32(0.0)
    for i in range(cuda.threadIdx.x, cols, THREADS):
        total += x[row, i]
    mean = of_block(total, plus) / float32(cols)
    squares = float32(0.0)
    for i in range(cuda.threadIdx.x, cols, THREADS):
        squares += (x[row, i] - mean) * (x[row, i] - mean)
    inverse = float32(1.0) / math.sqrt(of_block(squares, plus) / float32(cols) + float32(1e-5))
    for i in range(cuda.threadIdx.x, cols, THREADS):
        normalised[row, i] = (x[row, i] - mean) * inverse * weight[i] + bias[i]
