// Rung `expert`: 128 x 128 elements of C per block, 8 x 8 per thread, and the next tiles are loaded ahead.
// launch: matmul_int32 block=256 grid=ceil(n/128),ceil(m/128)
//
// A patch of 8 x 8 is the source's best. Its 64 sums fit into the 128 registers that a thread has when two blocks share
// an SM, and 16 elements from shared memory now serve 64 multiply-adds. The threads of a warp stand in 4 rows of 8, so
// that they need few different elements; and while one pair of tiles is multiplied, the next is fetched into registers
// and stored into a second pair, which leaves one barrier per step. The loops are in `warp_tiles.cuh`.
//
// What limits it now is the multiply-add itself, and earlier than in float32. An SM of an H200 starts 128 float32
// multiply-adds per clock but 64 integer ones (IMAD), so half of float32's speed is the most that int32 can
// reach. On a Tesla T4 both have 64. The source's P100 had no such instruction at all: it put each 32-bit product
// together from several multiply-adds of 16 bits.

#include "warp_tiles.cuh"

using Product = WarpTiles<int, Second::as_is, 8>;

__global__ void __launch_bounds__(256, 2) matmul_int32(const int *a, const int *b, int *c, int m, int n, int k)
{
    __shared__ Product::Shared tiles;

    Product product(m, n, k);
    product.accumulate(tiles, a, b);
    product.write(c);
}
