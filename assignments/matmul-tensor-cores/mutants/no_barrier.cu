// mutant: multiplies before the factors are in shared memory | verdict: wrong | diagnostic: shared-memory race
// launch: matmul_half block=128 grid=ceil(n/64),ceil(m/64)

#include <mma.h>

using namespace nvcuda;

#define TILE 64
#define DEPTH 16

__global__ void matmul_half(const __half *__restrict__ a, const __half *__restrict__ b, float *__restrict__ c, int m,
                            int n, int k)
{
    __shared__ __align__(32) __half left[TILE][DEPTH];
    __shared__ __align__(32) __half right[DEPTH][TILE];
    const int row = blockIdx.y * TILE, col = blockIdx.x * TILE;
    const int e = 8 * threadIdx.x;
    const int warp = threadIdx.x / 32;
    const int down = warp / 2 * 32, across = warp % 2 * 32;

    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][2];
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            wmma::fill_fragment(sum[i][j], 0.0f);
        }
    }
    for (int first = 0; first < k; first += DEPTH) {
        const uint4 zero = make_uint4(0, 0, 0, 0);
        const bool inside_a = row + e / DEPTH < m, inside_b = col + e % TILE < n;
        *reinterpret_cast<uint4 *>(&left[e / DEPTH][e % DEPTH]) =  // <- here
            inside_a ? *reinterpret_cast<const uint4 *>(a + (row + e / DEPTH) * k + first + e % DEPTH) : zero;  // <- here
        *reinterpret_cast<uint4 *>(&right[e / TILE][e % TILE]) =  // <- here
            inside_b ? *reinterpret_cast<const uint4 *>(b + (first + e / TILE) * n + col + e % TILE) : zero;  // <- here
        wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> x[2];
        wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> y[2];
        for (int i = 0; i < 2; i++) {
            wmma::load_matrix_sync(x[i], &left[down + 16 * i][0], DEPTH);  // <- here
            wmma::load_matrix_sync(y[i], &right[0][across + 16 * i], TILE);  // <- here
        }
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                wmma::mma_sync(sum[i][j], x[i], y[j], sum[i][j]);
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            const int y = row + down + 16 * i, x = col + across + 16 * j;
            if (y < m && x < n) {
                wmma::store_matrix_sync(c + y * n + x, sum[i][j], n, wmma::mem_row_major);
            }
        }
    }
}
