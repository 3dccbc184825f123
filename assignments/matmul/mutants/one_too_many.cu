// mutant: <= for < in the bounds of C | verdict: crashed | diagnostic: out of bounds
__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row <= m && col <= n) {
        float sum = 0.0f;
        for (int i = 0; i < k; i++)
            sum += a[row * k + i] * b[i * n + col];  // <- here
        c[row * n + col] = sum;  // <- here
    }
}
