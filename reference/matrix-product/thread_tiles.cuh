// A product of matrices with a tile of C per block and a patch of 4 x 4 elements of it per thread.

#pragma once

#include "tiles.cuh"

// A block of (TILE / 4) x (TILE / 4) threads computes TILE x TILE elements of C from tiles DEPTH deep.
template <typename T, Second SECOND, int TILE, int DEPTH>
__device__ void blocked_product(const T *a, const T *b, T *c, int m, int n, int k)
{
    constexpr int SIDE = TILE / 4;
    constexpr int THREADS = SIDE * SIDE;
    using FirstTile = TransposedTile<T, TILE, DEPTH, THREADS>;
    using SecondTile = typename SecondTileOf<SECOND, T, TILE, DEPTH, THREADS>::type;

    __shared__ alignas(16) typename FirstTile::Rows first;
    __shared__ alignas(16) typename SecondTile::Rows second;

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row0 = blockIdx.y * TILE;
    const int col0 = blockIdx.x * TILE;
    FirstTile a_tile(a, m, k, row0, ty * SIDE + tx);
    SecondTile b_tile(b, n, k, col0, ty * SIDE + tx);

    alignas(16) T sum[4][4] = {};
    for (int step = 0; step < k; step += DEPTH) {
        a_tile.fetch(step);
        b_tile.fetch(step);
        a_tile.store(first);
        b_tile.store(second);
        __syncthreads();

#pragma unroll
        for (int i = 0; i < DEPTH; ++i) {
            // Two loads of four elements serve 16 multiply-adds.
            alignas(16) T left[4], right[4];
            copy_quad(left, &first[i][ty * 4]);
            copy_quad(right, &second[i][tx * 4]);
#pragma unroll
            for (int y = 0; y < 4; ++y) {
#pragma unroll
                for (int x = 0; x < 4; ++x) {
                    sum[y][x] += left[y] * right[x];
                }
            }
        }
        __syncthreads();
    }

    const bool quads = in_quads(c, n);
#pragma unroll
    for (int y = 0; y < 4; ++y) {
        write_quad(c, m, n, row0 + ty * 4 + y, col0 + tx * 4, sum[y], quads);
    }
}
