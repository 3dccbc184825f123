"""Rung `intrinsic`: the sine of the special function unit.

`fast_sinf` is what CUDA C calls __sinf: the argument becomes a part of a turn, and a small table in
hardware does the rest. It has an absolute error of about 2^-21 near zero, where sinf would be right in
every digit but the last, and it loses a bit each time the argument doubles. So its table is compared within
a bound of its own. Neither a series nor a reduction is left; what limits it is the store of 4 bytes.
"""

from numba import cuda, float32
from numba.cuda.libdevice import fast_sinf, sqrtf


@cuda.jit
def function_table_fast(step, y_fast, n):
    """Table of sin(sqrt(x)) by the fast sine."""
    i = cuda.grid(1)
    if i < n:
        y_fast[i] = fast_sinf(sqrtf(float32(i) * step[0]))
