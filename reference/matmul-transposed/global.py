"""Rung `global`: one thread computes one element of C, reading two rows of A straight from global memory.

Element (row, col) of A·Aᵀ is the product of two rows of A. The threads of a warp are neighbours in x, so they share
the row of A that is named by y and each walks along a row of its own for x. Those rows start k elements apart: at each
step the warp reads 32 elements from 32 different sectors, and uses four bytes of each. The next seven steps find
theirs in the cache, if it has kept 32 sectors for every warp on the SM until then.
"""

from numba import cuda, float32


@cuda.jit
def matmul_transposed(a, c, m, k):
    """C = A·Aᵀ; the grid covers whole blocks, and the last ones stick out of C."""
    col, row = cuda.grid(2)
    if row < m and col < m:
        # A plain 0.0 would be a float64, and the whole sum with it.
        total = float32(0.0)
        for i in range(k):
            total += a[row, i] * a[col, i]
        c[row, col] = total
