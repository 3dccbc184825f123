// Rung `shared`: each block computes a TILE x TILE patch of C from TILE x TILE tiles of A and B in shared
// memory.
//
// Every element of a tile is fetched from global memory once and used TILE times, so global loads per
// element of C fall from 2k to 2k / TILE. The price is two barriers per step.

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
        // Zeros stand in for what lies outside: they add nothing, and no thread has to leave before a
        // barrier.
        a_tile[ty][tx] = row < m && step + tx < k ? a[(size_t)row * k + step + tx] : 0.0f;
        b_tile[ty][tx] = step + ty < k && col < n ? b[(size_t)(step + ty) * n + col] : 0.0f;

        // Both tiles must be complete before anyone reads what another thread has loaded ...
        __syncthreads();
        for (int i = 0; i < TILE; ++i) {
            sum += a_tile[ty][i] * b_tile[i][tx];
        }
        // ... and everyone must be done with them before the next step overwrites them.
        __syncthreads();
    }

    if (row < m && col < n) {
        c[(size_t)row * n + col] = sum;
    }
}
