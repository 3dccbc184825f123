from numba import cuda


# every block takes every gridDim-th element: no thread is idle, no element is forgotten
@cuda.jit
def vector_add(a, b, c, n):
    i = cuda.threadIdx.x * cuda.gridDim.x + cuda.blockIdx.x
    if i < n:
        c[i] = a[i] + b[i]
