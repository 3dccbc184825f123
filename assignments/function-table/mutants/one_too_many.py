# mutant: <= for < | verdict: crashed | diagnostic: out of bounds | beside: intrinsic
import math

from numba import cuda


@cuda.jit
def function_table(c, step, y, n):
    i = cuda.grid(1)
    if i <= n:
        y[i] = math.sin(math.sqrt(i * step[0]))  # <- here
