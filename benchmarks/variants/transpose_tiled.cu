// Through a TILE x TILE tile of shared memory with PAD unused columns, BLOCK_ROWS rows of threads at a time.

#ifndef TILE
#define TILE 32
#endif
#ifndef BLOCK_ROWS
#define BLOCK_ROWS 8
#endif
#ifndef PAD
#define PAD 1
#endif

__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + PAD];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int col0 = blockIdx.x * TILE;
    const int row0 = blockIdx.y * TILE;

    for (int i = ty; i < TILE; i += BLOCK_ROWS) {
        if (row0 + i < rows && col0 + tx < cols) {
            tile[i][tx] = a[(size_t)(row0 + i) * cols + col0 + tx];
        }
    }
    __syncthreads();
    for (int i = ty; i < TILE; i += BLOCK_ROWS) {
        if (col0 + i < cols && row0 + tx < rows) {
            b[(size_t)(col0 + i) * rows + row0 + tx] = tile[tx][i];
        }
    }
}
