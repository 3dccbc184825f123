"""Rung `blocked`: tiles in shared memory as in `shared`, and sums of a patch in registers as in `register_tile`.

The two ideas of the source together: 16 x 16 threads compute 64 x 64 elements of C, each thread 4 x 4 of them. An
element is fetched from global memory once for 64 uses. From shared memory a thread reads eight elements for 16
multiply-adds; in `shared` it would read 32. The patch can stay small, far from the sizes at which sums spill, because
shared memory is near enough to be read once per two multiply-adds.

The loop serves any type with sums that fit into a register: it is in `thread_tiles.py`, the tiles and their padding in
`tiles.py`. The sums are an array of int32, so no cast is needed: what is stored into it is cut to 32 bits.

What limits it now: between two barriers a block first waits for global memory and then computes.
"""
# launch: matmul_int32 block=16,16 grid=ceil(n/64),ceil(m/64)

from numba import cuda, int32
from thread_tiles import DEPTH, PITCH, blocked_product
from tiles import AS_IS


@cuda.jit
def matmul_int32(a, b, c, m, n, k):
    """C = A·B, launched with blocks of 16 x 16 threads."""
    first = cuda.shared.array((DEPTH, PITCH), int32, alignment=16)
    second = cuda.shared.array((DEPTH, PITCH), int32, alignment=16)
    total = cuda.local.array((4, 4), int32)
    blocked_product(total, first, second, a, b, c, m, n, k, AS_IS)
