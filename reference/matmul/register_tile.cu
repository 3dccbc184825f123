// Rung `register_tile`: one thread computes PATCH x PATCH elements of C, straight from global memory.
// launch: matmul block=16,16 grid=ceil(n/(16*PATCH)),ceil(m/(16*PATCH))
//
// With PATCH elements of a column of A and PATCH of a row of B in registers, a thread can do PATCH * PATCH
// multiply-adds: 2 * PATCH loads instead of 2 * PATCH * PATCH. No other thread is needed for that, hence neither
// shared memory nor barriers. The elements of a patch lie 16 rows and 16 columns apart, so that the threads of a
// warp still read neighbouring elements of B at once.
//
// What limits it now are the loads again: all threads of a row of the block load the same elements of A, and only
// the cache keeps that from going to memory. A larger patch needs fewer of them and more registers. At PATCH 8 there
// are 64 sums to keep, which leaves room for few warps on an SM; at 16 the 256 sums no longer fit into the 255
// registers that a thread may have, and spill into memory.

#ifndef PATCH
#define PATCH 4
#endif

#define SIDE 16

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    const int row0 = blockIdx.y * SIDE * PATCH + threadIdx.y;
    const int col0 = blockIdx.x * SIDE * PATCH + threadIdx.x;

    float sum[PATCH][PATCH] = {};
    for (int i = 0; i < k; ++i) {
        float left[PATCH], right[PATCH];
#pragma unroll
        for (int j = 0; j < PATCH; ++j) {
            const int row = row0 + j * SIDE;
            const int col = col0 + j * SIDE;
            left[j] = row < m ? a[(size_t)row * k + i] : 0.0f;
            right[j] = col < n ? b[(size_t)i * n + col] : 0.0f;
        }
        // Only in loops that are unrolled do the indices of a local array become constants, and its elements
        // registers.
#pragma unroll
        for (int y = 0; y < PATCH; ++y) {
#pragma unroll
            for (int x = 0; x < PATCH; ++x) {
                sum[y][x] += left[y] * right[x];
            }
        }
    }

#pragma unroll
    for (int y = 0; y < PATCH; ++y) {
#pragma unroll
        for (int x = 0; x < PATCH; ++x) {
            const int row = row0 + y * SIDE;
            const int col = col0 + x * SIDE;
            if (row < m && col < n) {
                c[(size_t)row * n + col] = sum[y][x];
            }
        }
    }
}
