# mutant: <= for < in the guard | verdict: crashed | diagnostic: out of bounds | beside: float3_staged, records_staged
from numba import cuda


@cuda.jit
def increment(x, n):
    i = cuda.grid(1)
    if i <= n:
        x[i] += 1  # <- here
