"""Rung `blocked`: tiles in shared memory, and a patch of 4 x 4 elements of C in the registers of each thread.

It joins `shared` and `register_tile`. A block of 16 x 16 threads computes 64 x 64 elements of C from tiles 16 deep:
each element of a tile is fetched from global memory once and used 64 times. A thread keeps 16 sums in registers; four
elements of A and four of B serve 16 multiply-adds, so shared memory is read once per two of them instead of twice per
one.

The elements a thread needs together lie side by side, in A's tile because it is stored transposed, and the compiler
joins their loads into one of 16 bytes; the tiles are aligned for that. It cannot do so for global memory, since
nothing is known of how an argument is aligned. How A is transposed on its way without bank conflicts, and how C is
written, is in `tiles.py`; the loop itself is in `thread_tiles.py`.

What limits it now: shared memory still has to deliver eight elements for 16 multiply-adds, and between two barriers
the block first waits for global memory and then computes.
"""
# launch: matmul block=16,16 grid=ceil(n/64),ceil(m/64)

from numba import cuda, float32
from thread_tiles import DEPTH, PITCH, blocked_product
from tiles import AS_IS


@cuda.jit
def matmul(a, b, c, m, n, k):
    """C = A·B, launched with blocks of 16 x 16 threads."""
    first = cuda.shared.array((DEPTH, PITCH), float32, alignment=16)
    second = cuda.shared.array((DEPTH, PITCH), float32, alignment=16)
    total = cuda.local.array((4, 4), float32)
    blocked_product(total, first, second, a, b, c, m, n, k, AS_IS)
