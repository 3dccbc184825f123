// mutant: B is read as if its rows were columns | verdict: wrong
__global__ void matmul_int32(const int *a, const int *b, int *c, int m, int n, int k)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && col < n) {
        int sum = 0;
        for (int i = 0; i < k; i++)
            sum += a[row * k + i] * b[col * k + i];
        c[row * n + col] = sum;
    }
}
