"""A wrong kernel; the process says that it is done and ends well while a child of it goes on."""

import os
import time

from numba import cuda

if os.fork() == 0:
    time.sleep(600)
os.write(1, b"done\n")
os._exit(0)


@cuda.jit
def vector_add(a, b, c, n):
    i = cuda.grid(1)
    if i < n:
        c[i] = a[i]
