"""Thread i takes element i: the 32 reads of a warp lie side by side, four 32-byte sectors in all."""

from numba import cuda, float32


@cuda.jit
def saxpy(x, y, out, alpha, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = float32(alpha) * x[i] + y[i]
