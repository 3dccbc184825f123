"""Rung `expert`: four entries per thread, a block's width apart.

A quarter of the threads compute the index and load the step, and four independent chains of arithmetic hide
each other's latency. The coefficients are numbers of the module, which the compiler puts into the
instructions. Numba has no stores of 16 bytes to an array of float32, so the four entries are those that lie
a block's width apart: each store is coalesced. Memory sets the limit: 4 bytes are written for each entry,
and nothing is read.
"""

import numpy as np
from numba import cuda, float32
from numba.cuda.libdevice import fast_sinf, fmaf, rintf, sqrtf

PER_HALF_TURN = np.float32(0.318309886)
PI_HIGH = np.float32(-3.14159274)
PI_LOW = np.float32(8.74227766e-8)
C0 = np.float32(-1.66666672e-1)
C1 = np.float32(8.33333377e-3)
C2 = np.float32(-1.98412701e-4)
C3 = np.float32(2.75573188e-6)
C4 = np.float32(-2.50521079e-8)
PER_THREAD = 4


@cuda.jit(device=True, inline=True)
def sine_of_root(x):
    """Sine of the root of x."""
    a = sqrtf(x)
    half_turns = rintf(a * PER_HALF_TURN)
    r = fmaf(half_turns, PI_LOW, fmaf(half_turns, PI_HIGH, a))
    s = r * r
    series = fmaf(fmaf(fmaf(fmaf(C4, s, C3), s, C2), s, C1), s, C0)
    sine = fmaf(r * s, series, r)
    return -sine if int(half_turns) & 1 else sine


# launch: function_table block=256 grid=ceil(n/1024)
@cuda.jit
def function_table(c, step, y, n):
    """Table of sin(sqrt(x)), four entries per thread."""
    width = cuda.blockDim.x
    first = cuda.blockIdx.x * width * PER_THREAD + cuda.threadIdx.x
    h = step[0]
    for k in range(PER_THREAD):
        i = first + k * width
        if i < n:
            y[i] = sine_of_root(float32(i) * h)


# launch: function_table_fast block=256 grid=ceil(n/1024)
@cuda.jit
def function_table_fast(step, y_fast, n):
    """Table of sin(sqrt(x)) by the fast sine, four entries per thread."""
    width = cuda.blockDim.x
    first = cuda.blockIdx.x * width * PER_THREAD + cuda.threadIdx.x
    h = step[0]
    for k in range(PER_THREAD):
        i = first + k * width
        if i < n:
            y_fast[i] = fast_sinf(sqrtf(float32(i) * h))
