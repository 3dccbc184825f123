// 32 rows a block through a 32 x 32 tile of shared memory with PAD unused columns, BLOCK_ROWS rows of threads at a time.

#ifndef BLOCK_ROWS
#define BLOCK_ROWS 8
#endif
#ifndef PAD
#define PAD 1
#endif
#define TILE 32

__global__ void row_sum_shared(const float *a, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + PAD];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row0 = blockIdx.x * TILE;

    float sum = 0.0f;
    for (int col0 = 0; col0 < cols; col0 += TILE) {
        for (int i = ty; i < TILE; i += BLOCK_ROWS) {
            const bool inside = row0 + i < rows && col0 + tx < cols;
            tile[i][tx] = inside ? a[(size_t)(row0 + i) * cols + col0 + tx] : 0.0f;
        }
        __syncthreads();
        for (int i = ty; i < TILE; i += BLOCK_ROWS) {
            sum += tile[tx][i];
        }
        __syncthreads();
    }
    tile[ty][tx] = sum;
    __syncthreads();
    if (ty == 0 && row0 + tx < rows) {
        for (int i = 1; i < BLOCK_ROWS; ++i) {
            sum += tile[i][tx];
        }
        out[row0 + tx] = sum;
    }
}
