// Rung `expert`: half of C computed with warp tiles of 8 x 8 elements per thread, the other half mirrored.
// launch: matmul_transposed block=256 grid=ceil(m/128),ceil(m/128)
//
// C is symmetric: the element at (row, col) is the one at (col, row). So the blocks below the diagonal have nothing to
// do, and those above it write their 128 x 128 elements twice, as they are and mirrored. That halves the work, which no
// general product can do.
//
// Within a block the rest is what any good product does, in `warp_tiles.cuh`: a thread keeps 64 sums in registers,
// sixteen elements from shared memory serve 64 multiply-adds, and the next pair of tiles is fetched while the present
// one is multiplied. Both tiles are stored with k as the slow index, so no thread reads a column: the padding is needed
// where they are stored, not where they are read.
//
// Mirrored, the four rows of a patch are four neighbours in a row of C, one 16-byte store; the four threads below one
// another in a warp write 64 bytes side by side. So the mirrored half is written in whole sectors, too.
//
// What limits it now are the multiply-add units. Blocks on the diagonal still compute their elements twice.

#include "warp_tiles.cuh"

using Product = WarpTiles<float, Second::transposed, 8>;

__global__ void __launch_bounds__(256, 2) matmul_transposed(const float *a, float *c, int m, int k)
{
    __shared__ Product::Shared tiles;

    // The whole block leaves, so no thread is missing at a barrier.
    if (blockIdx.y > blockIdx.x) {
        return;
    }

    Product product(m, m, k);
    product.accumulate(tiles, a, a);
    product.write(c);
    if (blockIdx.y < blockIdx.x) {
        product.write_mirrored(c);
    }
}
