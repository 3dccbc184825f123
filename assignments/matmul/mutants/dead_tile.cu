// mutant: no tile, and a tile that one thread writes and none reads | verdict: accepted | part: technique | loses: 10
__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ volatile float tile[1];
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 && y == 0)
        tile[0] = 0.0f;
    if (x >= n || y >= m)
        return;
    float sum = 0.0f;
    for (int p = 0; p < k; p++)
        sum += a[y * k + p] * b[p * n + x];
    c[y * n + x] = sum;
}
