"""An import that does not end, in a process that does not want to."""

import signal

from numba import cuda

for _number in range(1, 32):
    try:
        signal.signal(_number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
while True:
    try:
        sum(range(10**6))
    except BaseException:
        pass


@cuda.jit
def vector_add(a, b, c, n):
    i = cuda.grid(1)
    if i < n:
        c[i] = a[i] + b[i]
