"""Rung `expert`: 128 x 128 elements of C per block, 32 x 64 per warp, 8 x 8 per thread, and the next tile on its way.

Three things are added to `blocked`.

A larger patch. Sixteen elements from shared memory serve 64 multiply-adds; the 64 sums take half of the registers
that a thread has when two blocks share an SM.

Warp tiles. The 32 threads of a warp stand in 4 rows of 8, so together they read no more than 32 + 64 different
elements for 2048 multiply-adds. In one long row it would be 8 + 256.

Two pairs of tiles. The next elements of A and B are fetched into registers before the present ones are multiplied,
and then stored into the other pair. A step needs one barrier, and at its end none waits for global memory. Beside 64
sums there are too few warps on an SM to hide that wait in another way: what `prefetch` could not show pays here.

The loops are in `warp_tiles.py`. What limits it now, beside the multiply-adds themselves: the compiler keeps the loop
over a tile's depth, and fetches single elements, not four at once, from global memory. A small C has few tiles of this
size: at 1024 x 1024 there are 64 blocks, which leave half of an H200 idle, and `blocked` with its 256 is the faster.
"""
# launch: matmul block=256 grid=ceil(n/128),ceil(m/128)

from numba import cuda, float32
from tiles import AS_IS
from warp_tiles import DEPTH, PITCH, accumulate, write


@cuda.jit(launch_bounds=(256, 2))
def matmul(a, b, c, m, n, k):
    """C = A·B, launched with blocks of 256 threads; two of them share an SM, with 128 registers per thread."""
    first = cuda.shared.array((2, DEPTH, PITCH), float32, alignment=16)
    second = cuda.shared.array((2, DEPTH, PITCH), float32, alignment=16)
    total = cuda.local.array((8, 8), float32)
    accumulate(total, first, second, a, b, m, n, k, AS_IS)
    write(total, first[0], c, m, n)
