# mutant: copies a thousand elements, as many as on the exercise sheet | verdict: wrong
from numba import cuda


@cuda.jit
def copy_offset(x, shifted, n, offset):
    i = cuda.grid(1)
    if i < min(n, 1000):
        shifted[i] = x[i + offset]


@cuda.jit
def copy_stride(x, gathered, n, stride):
    i = cuda.grid(1)
    if i < min(n, 1000):
        gathered[i] = x[i * stride]
