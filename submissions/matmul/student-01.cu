// 矩阵乘法，分块 + 共享存储器
#define TILE_WIDTH 16

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
    __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE_WIDTH + ty;
    int col = blockIdx.x * TILE_WIDTH + tx;

    float Pvalue = 0.0f;
    int numTiles = (k + TILE_WIDTH - 1) / TILE_WIDTH;

    for (int t = 0; t < numTiles; ++t) {
        int ka = t * TILE_WIDTH + tx;
        int kb = t * TILE_WIDTH + ty;

        // 超出矩阵的部分补零
        if (row < m && ka < k)
            Mds[ty][tx] = a[row * k + ka];
        else
            Mds[ty][tx] = 0.0f;
        if (kb < k && col < n)
            Nds[ty][tx] = b[kb * n + col];
        else
            Nds[ty][tx] = 0.0f;
        __syncthreads();

        // 计算部分和
        for (int i = 0; i < TILE_WIDTH; ++i)
            Pvalue += Mds[ty][i] * Nds[i][tx];
        __syncthreads();
    }

    if (row < m && col < n)
        c[row * n + col] = Pvalue;
}
