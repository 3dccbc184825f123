"""Rung `maps`: loops over the elements, with the threads that there are: right for any block and grid.

Blocks of 256 threads need fewer launches of blocks than those of 32.
"""

# launch: blocks block=256 grid=ceil(n/256)

from numba import cuda, float32


@cuda.jit
def map_ten(a, mapped):
    i = cuda.threadIdx.x
    mapped[i] = a[i] + float32(10.0)


@cuda.jit
def zip_add(a, b, zipped):
    i = cuda.threadIdx.x
    zipped[i] = a[i] + b[i]


@cuda.jit
def guard(a, guarded, few):
    for i in range(cuda.threadIdx.x, few, cuda.blockDim.x):
        guarded[i] = a[i] * float32(10.0)


@cuda.jit
def map_2d(square, shifted, side):
    for y in range(cuda.threadIdx.y, side, cuda.blockDim.y):
        for x in range(cuda.threadIdx.x, side, cuda.blockDim.x):
            shifted[y, x] = square[y, x] + float32(10.0)


@cuda.jit
def broadcast(column, row, table, side):
    for y in range(cuda.threadIdx.y, side, cuda.blockDim.y):
        for x in range(cuda.threadIdx.x, side, cuda.blockDim.x):
            table[y, x] = column[y] + row[x]


@cuda.jit
def blocks(x, lifted, n):
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        lifted[i] = x[i] + float32(10.0)
