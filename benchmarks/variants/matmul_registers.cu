// Each thread of a 16 x 16 block computes MINE x MINE elements of C, 16 apart, from tiles 16 deep in shared memory.

#ifndef MINE
#define MINE 2
#endif
#define SIDE (16 * MINE)
#define DEPTH 16

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float a_tile[DEPTH][SIDE + 1];
    __shared__ float b_tile[DEPTH][SIDE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row0 = blockIdx.y * SIDE;
    const int col0 = blockIdx.x * SIDE;

    float sum[MINE][MINE] = {};
    for (int step = 0; step < k; step += DEPTH) {
#pragma unroll
        for (int i = 0; i < MINE; ++i) {
            const int row = row0 + ty + 16 * i;
            const int col = col0 + tx + 16 * i;
            a_tile[tx][ty + 16 * i] = row < m && step + tx < k ? a[(size_t)row * k + step + tx] : 0.0f;
            b_tile[ty][tx + 16 * i] = step + ty < k && col < n ? b[(size_t)(step + ty) * n + col] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int p = 0; p < DEPTH; ++p) {
            float left[MINE], right[MINE];
#pragma unroll
            for (int i = 0; i < MINE; ++i) {
                left[i] = a_tile[p][ty + 16 * i];
                right[i] = b_tile[p][tx + 16 * i];
            }
#pragma unroll
            for (int i = 0; i < MINE; ++i) {
#pragma unroll
                for (int j = 0; j < MINE; ++j) {
                    sum[i][j] += left[i] * right[j];
                }
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < MINE; ++i) {
#pragma unroll
        for (int j = 0; j < MINE; ++j) {
            const int row = row0 + ty + 16 * i;
            const int col = col0 + tx + 16 * j;
            if (row < m && col < n) {
                c[(size_t)row * n + col] = sum[i][j];
            }
        }
    }
}
