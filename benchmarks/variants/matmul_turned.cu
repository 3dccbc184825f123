// Tiles in shared memory, B's kept transposed: lanes walk down its columns, which conflict unless PAD moves the rows apart.

#ifndef TILE
#define TILE 16
#endif
#ifndef PAD
#define PAD 0
#endif

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE + PAD];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int col = blockIdx.x * TILE + tx;
    const int row = blockIdx.y * TILE + ty;

    float sum = 0.0f;
    for (int step = 0; step < k; step += TILE) {
        a_tile[ty][tx] = row < m && step + tx < k ? a[(size_t)row * k + step + tx] : 0.0f;
        b_tile[tx][ty] = step + ty < k && col < n ? b[(size_t)(step + ty) * n + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE; ++i) {
            sum += a_tile[ty][i] * b_tile[tx][i];
        }
        __syncthreads();
    }
    if (row < m && col < n) {
        c[(size_t)row * n + col] = sum;
    }
}
