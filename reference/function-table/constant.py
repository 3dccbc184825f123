"""Rung `constant`: the same series, its coefficients in constant memory.

`cuda.const.array_like` puts a NumPy array into constant memory when the kernel is compiled. All threads of
a warp need same coefficient at the same time: the one access that constant memory serves as fast as a
register. Nobody can change the array any more, so the compiler may even put its numbers into the
instructions. What remains is the reduction of the argument, the root, and one store for each thread; on a
device with slow memory, the stores alone.
"""

import numpy as np
from numba import cuda, float32
from numba.cuda.libdevice import fmaf, rintf, sqrtf

PER_HALF_TURN = np.float32(0.318309886)
PI_HIGH = np.float32(-3.14159274)
PI_LOW = np.float32(8.74227766e-8)
COEFFICIENTS = np.array(
    [-1.66666672e-1, 8.33333377e-3, -1.98412701e-4, 2.75573188e-6, -2.50521079e-8], dtype=np.float32
)


@cuda.jit
def function_table(c, step, y, n):
    """Table of sin(sqrt(x)), coefficients from constant memory."""
    coefficients = cuda.const.array_like(COEFFICIENTS)
    i = cuda.grid(1)
    if i < n:
        a = sqrtf(float32(i) * step[0])
        half_turns = rintf(a * PER_HALF_TURN)
        r = fmaf(half_turns, PI_LOW, fmaf(half_turns, PI_HIGH, a))
        s = r * r
        series = coefficients[4]
        for k in range(3, -1, -1):
            series = fmaf(series, s, coefficients[k])
        sine = fmaf(r * s, series, r)
        y[i] = -sine if int(half_turns) & 1 else sine
