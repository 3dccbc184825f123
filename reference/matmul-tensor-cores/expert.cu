// Rung `expert`: a block of four warps computes a tile of 64 x 128, so that each fragment serves more products. Loads fetch
// the next factors into registers while the tensor cores work on these; two buffers in shared memory need one barrier per
// step. Eight halves of padding put neighbouring rows into different banks.
//
// launch: matmul_half block=128 grid=ceil(n/128),ceil(m/64)

#include <mma.h>

using namespace nvcuda;

#define ROWS 64
#define COLUMNS 128
#define DEPTH 32
#define PAD 8
#define THREADS 128
#define DOWN 2
#define ACROSS 4

// This thread's share of the factors of one step, eight halves per load; what lies outside the matrices is zero.
struct Ahead {
    uint4 left[ROWS * DEPTH / 8 / THREADS], right[DEPTH * COLUMNS / 8 / THREADS];

    __device__ void load(const __half *a, const __half *b, int row, int col, int first, int m, int n, int k)
    {
#pragma unroll
        for (int i = 0; i < ROWS * DEPTH / 8 / THREADS; i++) {
            const int e = (threadIdx.x + i * THREADS) * 8;
            const int y = row + e / DEPTH, inner = first + e % DEPTH;
            left[i] = make_uint4(0, 0, 0, 0);
            if (y < m && inner < k) {
                left[i] = *reinterpret_cast<const uint4 *>(a + y * k + inner);
            }
        }
#pragma unroll
        for (int i = 0; i < DEPTH * COLUMNS / 8 / THREADS; i++) {
            const int e = (threadIdx.x + i * THREADS) * 8;
            const int inner = first + e / COLUMNS, x = col + e % COLUMNS;
            right[i] = make_uint4(0, 0, 0, 0);
            if (inner < k && x < n) {
                right[i] = *reinterpret_cast<const uint4 *>(b + inner * n + x);
            }
        }
    }

    __device__ void store(__half (*rows)[DEPTH + PAD], __half (*columns)[COLUMNS + PAD]) const
    {
#pragma unroll
        for (int i = 0; i < ROWS * DEPTH / 8 / THREADS; i++) {
            const int e = (threadIdx.x + i * THREADS) * 8;
            *reinterpret_cast<uint4 *>(&rows[e / DEPTH][e % DEPTH]) = left[i];
        }
#pragma unroll
        for (int i = 0; i < DEPTH * COLUMNS / 8 / THREADS; i++) {
            const int e = (threadIdx.x + i * THREADS) * 8;
            *reinterpret_cast<uint4 *>(&columns[e / COLUMNS][e % COLUMNS]) = right[i];
        }
    }
};

__global__ void matmul_half(const __half *__restrict__ a, const __half *__restrict__ b, float *__restrict__ c, int m,
                            int n, int k)
{
    __shared__ __align__(32) __half left[2][ROWS][DEPTH + PAD];
    __shared__ __align__(32) __half right[2][DEPTH][COLUMNS + PAD];
    const int row = blockIdx.y * ROWS, col = blockIdx.x * COLUMNS;
    const int warp = threadIdx.x / 32;
    const int down = warp / 2 * 16 * DOWN, across = warp % 2 * 16 * ACROSS;

    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[DOWN][ACROSS];
#pragma unroll
    for (int i = 0; i < DOWN * ACROSS; i++) {
        wmma::fill_fragment(sum[i / ACROSS][i % ACROSS], 0.0f);
    }
    Ahead ahead;
    ahead.load(a, b, row, col, 0, m, n, k);
    ahead.store(left[0], right[0]);
    __syncthreads();
    int buffer = 0;
    for (int first = 0; first < k; first += DEPTH) {
        const bool more = first + DEPTH < k;
        if (more) {
            ahead.load(a, b, row, col, first + DEPTH, m, n, k);
        }
#pragma unroll
        for (int inner = 0; inner < DEPTH; inner += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> x;
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> y[ACROSS];
#pragma unroll
            for (int j = 0; j < ACROSS; j++) {
                wmma::load_matrix_sync(y[j], &right[buffer][inner][across + 16 * j], COLUMNS + PAD);
            }
#pragma unroll
            for (int i = 0; i < DOWN; i++) {
                wmma::load_matrix_sync(x, &left[buffer][down + 16 * i][inner], DEPTH + PAD);
#pragma unroll
                for (int j = 0; j < ACROSS; j++) {
                    wmma::mma_sync(sum[i][j], x, y[j], sum[i][j]);
                }
            }
        }
        buffer ^= 1;
        if (more) {
            ahead.store(left[buffer], right[buffer]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < DOWN * ACROSS; i++) {
        const int y = row + down + i / ACROSS * 16, x = col + across + i % ACROSS * 16;
        if (y < m && x < n) {
            wmma::store_matrix_sync(c + y * n + x, sum[i / ACROSS][i % ACROSS], n, wmma::mem_row_major);
        }
    }
}
