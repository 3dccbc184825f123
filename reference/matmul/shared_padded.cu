// Rung `shared_padded`: 32 x 32 tiles, and four elements of C per thread.
// launch: matmul block=32,8 grid=ceil(n/32),ceil(m/32)
//
// In `shared` every multiply-add needs two loads from shared memory. Here a thread owns four elements below
// one another: one element of B serves all four, and the four elements of A come in one 16-byte load,
// because A's tile is kept transposed (a_tile[k][row]) and those four lie side by side.
//
// Storing a tile transposed means walking down its columns, and in a [32][32] array a column lies in a
// single bank: a 32-way conflict. Padding moves the rows apart. It must be a multiple of four floats to
// keep the 16-byte loads aligned; with four, elements 8 columns x 4 rows apart fall into 32 different banks
// (4 * column + row), so a warp loads A in patches of that shape.

#define TILE 32
#define PAD 4
#define PER_THREAD 4
#define PATCH 8

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[TILE][TILE + PAD];
    __shared__ float b_tile[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int col = blockIdx.x * TILE + tx;
    const int row0 = blockIdx.y * TILE;

    // The place of this thread in its warp's patch of A.
    const int patch_row = ty * PER_THREAD + tx / PATCH;
    const int patch_col = tx % PATCH;

    float sum[PER_THREAD] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int step = 0; step < k; step += TILE) {
#pragma unroll
        for (int i = patch_col; i < TILE; i += PATCH) {
            const bool inside = row0 + patch_row < m && step + i < k;
            a_tile[i][patch_row] = inside ? a[(size_t)(row0 + patch_row) * k + step + i] : 0.0f;
        }
#pragma unroll
        for (int i = ty; i < TILE; i += TILE / PER_THREAD) {
            b_tile[i][tx] = step + i < k && col < n ? b[(size_t)(step + i) * n + col] : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int i = 0; i < TILE; ++i) {
            const float4 a4 = *reinterpret_cast<const float4 *>(&a_tile[i][ty * PER_THREAD]);
            const float b1 = b_tile[i][tx];
            sum[0] += a4.x * b1;
            sum[1] += a4.y * b1;
            sum[2] += a4.z * b1;
            sum[3] += a4.w * b1;
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < PER_THREAD; ++i) {
        const int row = row0 + ty * PER_THREAD + i;
        if (row < m && col < n) {
            c[(size_t)row * n + col] = sum[i];
        }
    }
}
