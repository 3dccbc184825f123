// mutant: takes the factors of the first matrix for all | verdict: wrong
__global__ void batched_matmul(const float *a, const float *b, float *c, int batch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= batch * n * n) return;
    int row = i % (n * n) / n, col = i % n;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + col];
    c[i] = sum;
}
