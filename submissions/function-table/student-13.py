import math

from numba import cuda


# sin and sqrt of the math module: do they work on the GPU? they do
@cuda.jit
def function_table(c, step, y, n):
    i = cuda.grid(1)
    if i < n:
        y[i] = math.sin(math.sqrt(i * step[0]))


# faster: only the first terms of the series
@cuda.jit
def function_table_fast(step, y_fast, n):
    i = cuda.grid(1)
    if i < n:
        x = i * step[0]
        y_fast[i] = math.sqrt(x) * (1 - x / 6 + x * x / 120)
