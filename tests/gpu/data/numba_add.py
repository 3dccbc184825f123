"""Adds a number to three others on the device; with the word `beyond`, far behind them."""

import sys

import numpy as np
from numba import cuda


@cuda.jit(lineinfo=True)
def add(x, amount, first):
    i = first + cuda.grid(1)
    if cuda.grid(1) < x.size:
        x[i] += amount


numbers = cuda.to_device(np.arange(3, dtype=np.float32))
add[1, 32](numbers, np.float32(sys.argv[1]), 1 << 30 if sys.argv[2:] else 0)
print(numbers.copy_to_host())
raise SystemExit(3)
