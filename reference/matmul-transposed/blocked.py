"""Rung `blocked`: tiles of 64 x 64 rows, and a patch of 4 x 4 elements of C in the registers of each thread.

Padding has made each request to shared memory as fast as it can be; what is left is to make fewer of them. A thread
that keeps 16 sums needs four elements of either tile for 16 multiply-adds: half a read for each, instead of two.

For that the four elements must lie side by side. Those of a column of A do not, so both tiles are transposed when they
are stored, and columns are no longer read. The conflict has moved to the storing, where it costs little and padding
of four fixes it: see `tiles.py`. The loop is in `thread_tiles.py`, the same as for a product A·B; only the second tile
is read in another way.

What limits it now: between two barriers the block first waits for global memory and then computes, and each element of
the symmetric C is computed twice.
"""
# launch: matmul_transposed block=16,16 grid=ceil(m/64),ceil(m/64)

from numba import cuda, float32
from thread_tiles import DEPTH, PITCH, blocked_product
from tiles import TRANSPOSED


@cuda.jit
def matmul_transposed(a, c, m, k):
    """C = A·Aᵀ, launched with blocks of 16 x 16 threads."""
    first = cuda.shared.array((DEPTH, PITCH), float32, alignment=16)
    second = cuda.shared.array((DEPTH, PITCH), float32, alignment=16)
    total = cuda.local.array((4, 4), float32)
    blocked_product(total, first, second, a, a, c, m, m, k, TRANSPOSED)
