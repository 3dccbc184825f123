// 矩阵转置：共享存储器 + 填充，避免 bank 冲突
#define TILE_DIM 32
#define BLOCK_ROWS 8

__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];

    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;

    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < cols && y + j < rows)
            tile[threadIdx.y + j][threadIdx.x] = a[(y + j) * cols + x];

    __syncthreads();

    // 交换块坐标，写出仍然是合并的
    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;

    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < rows && y + j < cols)
            b[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}
