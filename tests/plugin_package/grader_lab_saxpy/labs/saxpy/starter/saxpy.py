"""out[i] = alpha * x[i] + y[i] for i in [0, n)."""

from numba import cuda


@cuda.jit
def saxpy(x, y, out, alpha, n):
    pass  # Your turn: which i is this thread's, and what about the threads beyond n?
