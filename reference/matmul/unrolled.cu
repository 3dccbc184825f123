// Rung `unrolled`: as `shared`, with the inner loop written out by the compiler.
//
// A loop of TILE rounds counts, compares and branches TILE times, and each round computes the addresses of its two
// elements. Unrolled, all of that is gone: the offsets are constants in the load instructions, and what remains are
// two loads and a multiply-add for each element.
//
// The lecturer had to ask for it; today's compiler unrolls a loop of 16 rounds unasked, so the machine code is that
// of `shared`. The directive still says that the loop is meant to be unrolled, and it decides where the compiler
// would not: for a long body, or a count that is only just known.

#ifndef TILE
#define TILE 16
#endif

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int col = blockIdx.x * TILE + tx;
    const int row = blockIdx.y * TILE + ty;

    float sum = 0.0f;
    for (int step = 0; step < k; step += TILE) {
        a_tile[ty][tx] = row < m && step + tx < k ? a[(size_t)row * k + step + tx] : 0.0f;
        b_tile[ty][tx] = step + ty < k && col < n ? b[(size_t)(step + ty) * n + col] : 0.0f;

        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; ++i) {
            sum += a_tile[ty][i] * b_tile[i][tx];
        }
        __syncthreads();
    }

    if (row < m && col < n) {
        c[(size_t)row * n + col] = sum;
    }
}
