// mutant: takes the rows of A to be as long as those of C | verdict: crashed | diagnostic: out of bounds
__global__ void matmul_transposed(const float *a, float *c, int m, int k)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= m)
        return;
    float sum = 0.0f;
    for (int i = 0; i < k; i++)
        sum += a[row * m + i] * a[col * m + i];  // <- here
    c[row * m + col] = sum;
}
