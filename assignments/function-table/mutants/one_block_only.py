# mutant: the index is that of the thread in its block | verdict: wrong | beside: intrinsic
import math

from numba import cuda


@cuda.jit
def function_table(c, step, y, n):
    i = cuda.threadIdx.x
    if i < n:
        y[i] = math.sin(math.sqrt(i * step[0]))
