// mutant: a tile of 32 x 32 filled by a block of 16 x 16, without a launch line | verdict: wrong | diagnostic: uninitialised read
#define TILE 32

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float as[TILE][TILE];
    __shared__ float bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * TILE + tx;
    int row = blockIdx.y * TILE + ty;
    float sum = 0.0f;
    for (int step = 0; step < k; step += TILE) {
        as[ty][tx] = (row < m && step + tx < k) ? a[row * k + step + tx] : 0.0f;
        bs[ty][tx] = (step + ty < k && col < n) ? b[(step + ty) * n + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += as[ty][i] * bs[i][tx];  // <- here
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}
