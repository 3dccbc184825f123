// Rung `expert`: 128 x 128 or 64 x 128 elements of C per block, 32 x 64 per warp, 8 x 8 per thread.
// launch: matmul block=256 grid=ceil(n/128),ceil(m/64)
//
// Five things are added to `blocked`.
//
// A larger patch. Sixteen elements from shared memory serve 64 multiply-adds; the 64 sums take half of the registers
// that a thread has when two blocks share an SM.
//
// Warp tiles. The 32 threads of a warp stand in 4 rows of 8, so together they read no more than 32 + 64 different
// elements for 2048 multiply-adds. In one long row it would be 8 + 256.
//
// Everything is on its way before it is needed. The next elements of A and B are fetched into registers before the
// present tiles are multiplied, and then stored into a second pair; likewise the next factors are loaded from shared
// memory before the present ones are multiplied. A step needs one barrier, and at its end no thread waits for global
// memory. Beside 64 sums there are too few warps on an SM to hide those waits in another way: what `prefetch` could
// not show pays here.
//
// A block checks once whether its tiles lie within the matrices. If they do, its loop has no conditions:
// of its instructions, nearly nine in ten are multiply-adds.
//
// Two sizes of tiles. At 1024 x 1024 there are 64 large tiles, which leave half of an H200 idle. Then a block takes
// 64 x 128 elements, for which 128 threads are enough: two teams of them share out k, and add up their sums in the end.
//
// The loops are in `warp_tiles.cuh`. What limits it now are the multiply-add units. Beyond lie the matrix units, which
// do not compute in float32.

#include "warp_tiles.cuh"

using Large = WarpTiles<float, Second::as_is, 8, 128, 128>;
using Small = WarpTiles<float, Second::as_is, 8, 64, 128>;

// So many large tiles keep an H200 busy: its 132 SMs hold two blocks each.
constexpr int ENOUGH = 240;

template <typename Product>
__device__ void multiply(typename Product::Shared &tiles, const float *a, const float *b, float *c, int m, int n, int k)
{
    Product product(m, n, k);
    product.accumulate(tiles, a, b);
    product.write(c);
}

// Two blocks per SM: 128 registers per thread, into which everything fits.
__global__ void __launch_bounds__(256, 2) matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ union {
        Large::Shared large;
        Small::Shared small;
    } tiles;

    const int rows = (m + 127) / 128;
    const int cols = (n + 127) / 128;
    if (rows * cols < ENOUGH) {
        multiply<Small>(tiles.small, a, b, c, m, n, k);
    } else if (blockIdx.y < rows && blockIdx.x < cols) {
        // The grid is made for small tiles; there are half as many large ones, and the other blocks leave.
        multiply<Large>(tiles.large, a, b, c, m, n, k);
    }
}
