// mutant: right, but shared memory holds nothing that is used | verdict: accepted | part: technique | loses: 10
__global__ void batched_matmul(const float *a, const float *b, float *c, int batch, int n)
{
    __shared__ volatile float seen[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= batch * n * n) return;
    int first = i / (n * n) * n * n, row = i % (n * n) / n, col = i % n;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[first + row * n + k] * b[first + k * n + col];
    seen[threadIdx.x % 256] = sum;
    c[i] = sum;
}
