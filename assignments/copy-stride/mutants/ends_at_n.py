# mutant: the source is taken to end after n elements | verdict: wrong
from numba import cuda


@cuda.jit
def copy_offset(x, shifted, n, offset):
    i = cuda.grid(1)
    if i < n and i + offset < n:
        shifted[i] = x[i + offset]


@cuda.jit
def copy_stride(x, gathered, n, stride):
    i = cuda.grid(1)
    if i < n and i * stride < n:
        gathered[i] = x[i * stride]
