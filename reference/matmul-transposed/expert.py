"""Rung `expert`: half of C computed with warp tiles of 8 x 8 elements per thread, the other half mirrored.

C is symmetric: the element at (row, col) is the one at (col, row). So the blocks below the diagonal have nothing to
do, and those above it write their 128 x 128 elements twice, as they are and mirrored. That halves the work, which no
general product can do.

Within a block the rest is what any good product does, in `warp_tiles.py`: a thread keeps 64 sums in registers, sixteen
elements from shared memory serve 64 multiply-adds, and the next pair of tiles is fetched while the present one is
multiplied. Both tiles are stored with k as the slow index, so columns are not read: the padding is needed where they
are stored, not where they are read. C is written by way of shared memory, so that both halves are coalesced.

What limits it now, beside the multiply-adds themselves: the compiler keeps the loop over a tile's depth, and fetches
single elements, not four at once, from global memory. Blocks on the diagonal still compute their elements twice.
"""
# launch: matmul_transposed block=256 grid=ceil(m/128),ceil(m/128)

from numba import cuda, float32
from tiles import TRANSPOSED
from warp_tiles import DEPTH, PITCH, accumulate, write, write_mirrored


@cuda.jit(launch_bounds=(256, 2))
def matmul_transposed(a, c, m, k):
    """C = A·Aᵀ, launched with blocks of 256 threads; two of them share an SM, with 128 registers per thread."""
    first = cuda.shared.array((2, DEPTH, PITCH), float32, alignment=16)
    second = cuda.shared.array((2, DEPTH, PITCH), float32, alignment=16)
    total = cuda.local.array((8, 8), float32)

    # The whole block leaves, so no thread is missing at a barrier.
    if cuda.blockIdx.y > cuda.blockIdx.x:
        return
    accumulate(total, first, second, a, a, m, m, k, TRANSPOSED)
    write(total, first[0], c, m, m)
    if cuda.blockIdx.y < cuda.blockIdx.x:
        write_mirrored(total, first[0], c, m, m)
