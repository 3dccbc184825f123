// mutant: multiplies by the transpose of b | verdict: wrong
__global__ void batched_matmul(const float *a, const float *b, float *c, int batch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= batch * n * n) return;
    int first = i / (n * n) * n * n, row = i % (n * n) / n, col = i % n;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[first + row * n + k] * b[first + col * n + k];
    c[i] = sum;
}
