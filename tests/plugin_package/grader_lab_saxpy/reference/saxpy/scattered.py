"""Thread i of a warp takes an element of the i-th of 32 stretches: each read touches a sector of its own."""

from numba import cuda, float32


@cuda.jit
def saxpy(x, y, out, alpha, n):
    thread = cuda.grid(1)
    stretch = (n + 31) // 32
    offset = thread // 32
    i = thread % 32 * stretch + offset
    if offset < stretch and i < n:
        out[i] = float32(alpha) * x[i] + y[i]
