# mutant: forgets the number of its block | verdict: wrong | beside: float3_staged, records_staged
from numba import cuda


@cuda.jit
def increment(x, n):
    i = cuda.threadIdx.x
    if i < n and cuda.blockIdx.x == 0:
        x[i] += 1
