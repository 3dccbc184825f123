"""Rung `global`: a series for the sine with its five coefficients in global memory.

The argument is brought to -pi/2..pi/2 by taking off a whole number of half turns. Pi is subtracted in two
parts, by fused multiply-adds: one float has too few of its digits for thousands of half turns. Then sin r =
r + r^3 (c0 + r^2 (c1 + ...)), and an odd number of half turns changes the sign.

All threads of a warp read the same coefficient, which is one sector and nearly always in the cache. Still
it is an instruction for the load/store unit, and the compiler must keep it: it cannot know what the array
holds. `float32(i)` keeps the product in float32: an integer times a float32 would be a float64.
"""

import numpy as np
from numba import cuda, float32
from numba.cuda.libdevice import fmaf, rintf, sqrtf

PER_HALF_TURN = np.float32(0.318309886)
PI_HIGH = np.float32(-3.14159274)
PI_LOW = np.float32(8.74227766e-8)


@cuda.jit
def function_table(c, step, y, n):
    """Table of sin(sqrt(x)), coefficients from an array."""
    i = cuda.grid(1)
    if i < n:
        a = sqrtf(float32(i) * step[0])
        half_turns = rintf(a * PER_HALF_TURN)
        r = fmaf(half_turns, PI_LOW, fmaf(half_turns, PI_HIGH, a))
        s = r * r
        series = c[4]
        for k in range(3, -1, -1):
            series = fmaf(series, s, c[k])
        sine = fmaf(r * s, series, r)
        y[i] = -sine if int(half_turns) & 1 else sine
