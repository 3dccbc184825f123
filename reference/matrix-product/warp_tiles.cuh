// A product of matrices with a tile of C per block, a part of it per warp, and 8 x 8 elements of that per thread.

#pragma once

#include "tiles.cuh"

// A block of 256 threads computes 128 x 128 elements of C, from tiles DEPTH deep.
template <typename T, Second SECOND, int DEPTH> class WarpTiles {
public:
    static constexpr int TILE = 128;
    static constexpr int THREADS = 256;

private:
    // Eight warps, four below one another and two side by side, each with 32 x 64 elements of C.
    static constexpr int WARP_ROWS = 32;
    static constexpr int WARP_COLS = 64;
    // The 32 threads of a warp in four rows of eight. A thread has four patches of 4 x 4: its own quad of rows and of
    // columns, and those half a warp's part further on. So the quads that a warp loads together lie side by side.
    static constexpr int LANE_COLS = 8;

    using FirstTile = TransposedTile<T, TILE, DEPTH, THREADS>;
    using SecondTile = typename SecondTileOf<SECOND, T, TILE, DEPTH, THREADS>::type;

public:
    // Two of each: one is read while the next is written, so that a step needs one barrier.
    struct Shared {
        alignas(16) typename FirstTile::Rows first[2];
        alignas(16) typename SecondTile::Rows second[2];
    };

    __device__ WarpTiles(int m, int n, int k) : m(m), n(n), k(k)
    {
        const int warp = threadIdx.x / 32;
        const int lane = threadIdx.x % 32;
        row = warp / 2 * WARP_ROWS + lane / LANE_COLS * 4;
        col = warp % 2 * WARP_COLS + lane % LANE_COLS * 4;
    }

    // Adds up this block's tile of the product; each thread keeps its own part of it.
    __device__ void accumulate(Shared &shared, const T *a, const T *b)
    {
        FirstTile a_tile(a, m, k, blockIdx.y * TILE, threadIdx.x);
        SecondTile b_tile(b, n, k, blockIdx.x * TILE, threadIdx.x);

        a_tile.fetch(0);
        b_tile.fetch(0);
        a_tile.store(shared.first[0]);
        b_tile.store(shared.second[0]);
        __syncthreads();

        int now = 0;
        for (int step = DEPTH; step < k; step += DEPTH) {
            // The next tile is on its way while this one is multiplied.
            a_tile.fetch(step);
            b_tile.fetch(step);
            multiply(shared.first[now], shared.second[now]);
            now ^= 1;
            a_tile.store(shared.first[now]);
            b_tile.store(shared.second[now]);
            __syncthreads();
        }
        multiply(shared.first[now], shared.second[now]);
    }

    __device__ void write(T *c) const
    {
        const bool quads = in_quads(c, n);
#pragma unroll
        for (int y = 0; y < 8; ++y) {
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                write_quad(c, m, n, c_row(y), c_col(half * 4), &sum[y][half * 4], quads);
            }
        }
    }

    // The same elements mirrored at the diagonal, for a C that is symmetric.
    __device__ void write_mirrored(T *c) const
    {
        const bool quads = in_quads(c, m);
#pragma unroll
        for (int x = 0; x < 8; ++x) {
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                alignas(16) T column[4];
#pragma unroll
                for (int j = 0; j < 4; ++j) {
                    column[j] = sum[half * 4 + j][x];
                }
                write_quad(c, n, m, c_col(x), c_row(half * 4), column, quads);
            }
        }
    }

private:
    __device__ void multiply(const typename FirstTile::Rows &first, const typename SecondTile::Rows &second)
    {
#pragma unroll
        for (int i = 0; i < DEPTH; ++i) {
            // Four loads of four elements serve 64 multiply-adds.
            alignas(16) T left[8], right[8];
            copy_quad(&left[0], &first[i][row]);
            copy_quad(&left[4], &first[i][row + WARP_ROWS / 2]);
            copy_quad(&right[0], &second[i][col]);
            copy_quad(&right[4], &second[i][col + WARP_COLS / 2]);
#pragma unroll
            for (int y = 0; y < 8; ++y) {
#pragma unroll
                for (int x = 0; x < 8; ++x) {
                    sum[y][x] += left[y] * right[x];
                }
            }
        }
    }

    __device__ int c_row(int y) const { return blockIdx.y * TILE + row + y / 4 * (WARP_ROWS / 2) + y % 4; }
    __device__ int c_col(int x) const { return blockIdx.x * TILE + col + x / 4 * (WARP_COLS / 2) + x % 4; }

    int m, n, k;
    int row, col;  // of this thread's first patch within the tile
    alignas(16) T sum[8][8] = {};
};
