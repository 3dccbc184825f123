// mutant: no tile: the finished sums go through shared memory to another thread | verdict: accepted | part: technique | loses: 15
#define N 16

// launch: matmul block=16,16 grid=ceil(n/16),ceil(m/16)
__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float sums[N][N + 1];
    int x = blockIdx.x * N + threadIdx.y, y = blockIdx.y * N + threadIdx.x;
    float sum = 0.0f;
    if (x < n && y < m)
        for (int p = 0; p < k; p++)
            sum += a[y * k + p] * b[p * n + x];
    sums[threadIdx.x][threadIdx.y] = sum;
    __syncthreads();
    x = blockIdx.x * N + threadIdx.x, y = blockIdx.y * N + threadIdx.y;
    if (x < n && y < m)
        c[y * n + x] = sums[threadIdx.y][threadIdx.x];
}
