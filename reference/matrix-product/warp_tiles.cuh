// A product of matrices with a tile of C per block, a part of it per warp, and 8 x 8 elements of that per thread.

#pragma once

#include "tiles.cuh"

// A block of 256 threads computes ROWS x COLS elements of C, from tiles DEPTH deep. That takes ROWS * COLS / 64 threads;
// where the block has more, they are teams that share out k: each adds up every TEAMS-th tile, and in the end the teams'
// sums are added.
template <typename T, Second SECOND, int DEPTH, int ROWS = 128, int COLS = 128> class WarpTiles {
public:
    static constexpr int THREADS = 256;

private:
    static constexpr int TEAM = ROWS * COLS / 64;
    static constexpr int TEAMS = THREADS / TEAM;
    static_assert(TEAM * TEAMS == THREADS && TEAM % 32 == 0, "no whole teams of whole warps");

    // The 32 threads of a warp stand in four rows of eight. A thread has four patches of 4 x 4: its own quad of rows and
    // of columns, and those half a warp's part further on. So the quads that a warp loads together lie side by side.
    static constexpr int WARP_ROWS = 32;
    static constexpr int WARP_COLS = 64;
    static constexpr int WARPS_ACROSS = COLS / WARP_COLS;

    using FirstTile = TransposedTile<T, ROWS, DEPTH, TEAM>;
    using SecondTile = typename SecondTileOf<SECOND, T, COLS, DEPTH, TEAM>::type;

    // Two of each: one is read while the next is written, so that a step needs one barrier.
    struct Pairs {
        alignas(16) typename FirstTile::Rows first[2];
        alignas(16) typename SecondTile::Rows second[2];
    };
    // Of every thread of a team two rows of its sums.
    using Sums = T[2][8][TEAM];

public:
    union Shared {
        Pairs pairs[TEAMS];
        Sums sums;
    };

    __device__ WarpTiles(int m, int n, int k) : m(m), n(n), k(k), team(threadIdx.x / TEAM), thread(threadIdx.x % TEAM)
    {
        const int warp = thread / 32;
        const int lane = thread % 32;
        // Neighbouring lanes stand below one another: two of them load the same quad of B, and half a warp needs no
        // more than 2 + 8 different quads.
        row = warp / WARPS_ACROSS * WARP_ROWS + (lane / 16 * 2 + lane % 2) * 4;
        col = warp % WARPS_ACROSS * WARP_COLS + lane / 2 % 8 * 4;
    }

    // Adds up this block's tile of the product; each thread of the first team keeps its own part of it.
    __device__ void accumulate(Shared &shared, const T *a, const T *b)
    {
        FirstTile a_tile(a, m, k, blockIdx.y * ROWS, thread);
        SecondTile b_tile(b, n, k, blockIdx.x * COLS, thread);

        // Whether a tile ends within the matrix is asked once, not for each of its quads.
        if (a_tile.whole() && b_tile.whole() && k % (TEAMS * DEPTH) == 0) {
            a_tile.begin(team * DEPTH);
            b_tile.begin(team * DEPTH);
            add_tiles<true>(shared.pairs[team], a_tile, b_tile);
        } else {
            add_tiles<false>(shared.pairs[team], a_tile, b_tile);
        }
        if (TEAMS > 1) {
            add_teams(shared.sums);
        }
    }

    __device__ void write(T *c) const
    {
        if (team > 0) {
            return;
        }
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
        if (team > 0) {
            return;
        }
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
    template <bool WHOLE> __device__ void add_tiles(Pairs &pairs, FirstTile &a_tile, SecondTile &b_tile)
    {
        fetch<WHOLE>(a_tile, b_tile, team * DEPTH);
        a_tile.store(pairs.first[0]);
        b_tile.store(pairs.second[0]);
        __syncthreads();

        int now = 0;
        for (int step = TEAMS * DEPTH; step < k; step += TEAMS * DEPTH) {
            // The next tile is on its way while this one is multiplied.
            fetch<WHOLE>(a_tile, b_tile, step + team * DEPTH);
            multiply(pairs.first[now], pairs.second[now]);
            now ^= 1;
            a_tile.store(pairs.first[now]);
            b_tile.store(pairs.second[now]);
            __syncthreads();
        }
        multiply(pairs.first[now], pairs.second[now]);
    }

    template <bool WHOLE> __device__ void fetch(FirstTile &a_tile, SecondTile &b_tile, int step)
    {
        if (WHOLE) {
            a_tile.fetch_next(TEAMS * DEPTH);
            b_tile.fetch_next(TEAMS * DEPTH);
        } else {
            a_tile.fetch(step);
            b_tile.fetch(step);
        }
    }

    __device__ void multiply(const typename FirstTile::Rows &first, const typename SecondTile::Rows &second)
    {
        // Two of each: the next factors are loaded while these are multiplied.
        alignas(16) T left[2][8], right[2][8];
        load(left[0], right[0], first[0], second[0]);
#pragma unroll
        for (int i = 0; i < DEPTH; ++i) {
            if (i + 1 < DEPTH) {
                load(left[(i + 1) % 2], right[(i + 1) % 2], first[i + 1], second[i + 1]);
            }
#pragma unroll
            for (int y = 0; y < 8; ++y) {
#pragma unroll
                for (int j = 0; j < 8; ++j) {
                    // To and fro, so that the last factor of a row is the first of the next and is still at hand.
                    const int x = y % 2 ? 7 - j : j;
                    sum[y][x] += left[i % 2][y] * right[i % 2][x];
                }
            }
        }
    }

    // Four loads of four elements serve 64 multiply-adds.
    __device__ void load(T *left, T *right, const T *first, const T *second) const
    {
        copy_quad(&left[0], &first[row]);
        copy_quad(&left[4], &first[row + WARP_ROWS / 2]);
        copy_quad(&right[0], &second[col]);
        copy_quad(&right[4], &second[col + WARP_COLS / 2]);
    }

    // Leaves every element's whole sum with the first team.
    __device__ void add_teams(Sums &sums)
    {
#pragma unroll
        for (int i = 0; i < 4 * (TEAMS - 1); ++i) {
            const int giving = 1 + i / 4;
            const int first_row = i % 4 * 2;
            // What this memory held has been read: tiles at first, then other rows' sums.
            __syncthreads();
            if (team == giving) {
#pragma unroll
                for (int j = 0; j < 16; ++j) {
                    sums[j / 8][j % 8][thread] = sum[first_row + j / 8][j % 8];
                }
            }
            __syncthreads();
            if (team == 0) {
#pragma unroll
                for (int j = 0; j < 16; ++j) {
                    sum[first_row + j / 8][j % 8] += sums[j / 8][j % 8][thread];
                }
            }
        }
    }

    __device__ int c_row(int y) const { return blockIdx.y * ROWS + row + y / 4 * (WARP_ROWS / 2) + y % 4; }
    __device__ int c_col(int x) const { return blockIdx.x * COLS + col + x / 4 * (WARP_COLS / 2) + x % 4; }

    int m, n, k;
    int team, thread;  // this thread's team, and which of its team it is
    int row, col;      // of this thread's first patch within the tile
    alignas(16) T sum[8][8] = {};
};
