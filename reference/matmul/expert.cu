// Rung `expert`: 128 x 128 elements of C per block, 32 x 64 per warp, 8 x 8 per thread, and the next tile on its way.
// launch: matmul block=256 grid=ceil(n/128),ceil(m/128)
//
// Three things are added to `blocked`.
//
// A larger patch. Sixteen elements from shared memory serve 64 multiply-adds; the 64 sums take half of the registers
// that a thread has when two blocks share an SM.
//
// Warp tiles. The 32 threads of a warp stand in 4 rows of 8, so together they read no more than 32 + 64 different
// elements for 2048 multiply-adds. In one long row it would be 8 + 256.
//
// Two pairs of tiles. The next elements of A and B are fetched into registers before the present ones are
// multiplied, and then stored into the other pair. A step needs one barrier, and at its end nobody waits for global
// memory. Beside 64 sums there are too few warps on an SM to hide that wait in another way: what `prefetch` could not
// show pays here.
//
// The loops are in `warp_tiles.cuh`. What limits it now are the multiply-add units: nearly all instructions left are
// multiply-adds. Beyond lie the matrix units, which do not compute in float32. A small C has few tiles of this size:
// at 1024 x 1024 there are 64 blocks, which leave half of an H200 idle, and `blocked` with its 256 is the faster.

#include "warp_tiles.cuh"

using Product = WarpTiles<float, Second::as_is, 8>;

// Two blocks per SM: 128 registers per thread, into which everything fits.
__global__ void __launch_bounds__(256, 2) matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ Product::Shared tiles;

    Product product(m, n, k);
    product.accumulate(tiles, a, b);
    product.write(c);
}
