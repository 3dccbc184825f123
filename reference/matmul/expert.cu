// Rung `expert`
// launch: matmul block=256 grid=ceil(n/128),ceil(m/128)

#include "warp_tiles.cuh"

using Product = WarpTiles<float, Second::as_is, 8>;

__global__ void __launch_bounds__(256, 2) matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ Product::Shared tiles;

    Product product(m, n, k);
    product.accumulate(tiles, a, b);
    product.write(c);
}
