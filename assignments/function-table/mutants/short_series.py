# mutant: the last coefficient is left out | verdict: wrong | beside: intrinsic
import math

from numba import cuda


@cuda.jit
def function_table(c, step, y, n):
    i = cuda.grid(1)
    if i < n:
        a = math.sqrt(i * step[0])
        k = round(a / math.pi)
        r = a - k * math.pi
        s = r * r
        p = 0.0
        for j in range(len(c) - 2, -1, -1):
            p = p * s + c[j]
        p = r + r * s * p
        if k % 2 == 1:
            p = -p
        y[i] = p
