"""Rung `global`: one thread computes one element of y, straight from global memory.

Neighbouring threads read elements of A that are a whole row apart: 32 sectors for a request that could do
with 4. The elements of x are the same for all threads of a warp at each step, so one sector serves them
all, and the L1 keeps it. A is what limits this kernel: it is as large as all the arithmetic, and it comes
in scattered. With few rows there are few threads as well.
"""

from numba import cuda, float32


@cuda.jit
def matvec(a, x, y, rows, cols):
    """Compute y = A x, one thread per row."""
    row = cuda.grid(1)
    if row < rows:
        # A plain 0.0 would be a float64, and the whole sum with it.
        total = float32(0.0)
        for col in range(cols):
            total += a[row, col] * x[col]
        y[row] = total
